import { createContext, useContext } from 'react'

/** Whether the window also shows what an editor does not need: IDs, hashes, headers, sources. */
export const ForDevelopersContext = createContext(false)

/** Leaves out what is for developers, unless the window shows it. */
export function useShown<Item extends { readonly isForDevelopers?: boolean }>(items: readonly Item[]): readonly Item[] {
  const isOn = useContext(ForDevelopersContext)
  return isOn ? items : items.filter(({ isForDevelopers }) => isForDevelopers !== true)
}

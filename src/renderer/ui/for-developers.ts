import type { ReactNode } from 'react'
import { createContext, useContext } from 'react'

/** Whether the window also shows what an editor does not need: IDs, hashes, headers, sources. */
export const ForDevelopersContext = createContext(false)

/** Leaves out what is for developers, unless the window shows it. */
export function useShown<Item extends { readonly isForDevelopers?: boolean }>(items: readonly Item[]): readonly Item[] {
  const isOn = useContext(ForDevelopersContext)
  return isOn ? items : items.filter(({ isForDevelopers }) => isForDevelopers !== true)
}

/** Content that only a window that shows what is for developers has. */
export const ForDevelopers = ({ children }: { readonly children: ReactNode }): ReactNode =>
  useContext(ForDevelopersContext) ? children : null

/** The path of a file in an export; for editors without the hash before its name. */
export const FilePath = ({ path }: { readonly path: string }): string =>
  useContext(ForDevelopersContext) ? path : path.replaceAll(/[0-9a-f]{32,64}-/g, '')

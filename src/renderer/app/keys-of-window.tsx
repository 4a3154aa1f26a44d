import type { ReactNode } from 'react'
import { useCallback } from 'react'

import { useCommands } from '../commands/commands.ts'
import { usableKeys } from '../commands/keys.ts'
import { KeysContext } from '../commands/shown-keys.ts'
import type { KeysLookup } from '../commands/shown-keys.ts'

/** Provides the shortcuts of available commands to all components of the window. */
export function KeysOfWindow({ children }: { readonly children: ReactNode }) {
  const { all, chosenKeys } = useCommands()
  const lookUpKeys: KeysLookup = useCallback(
    (id) => {
      const canRun = all.some((command) => command.id === id && command.isAvailable?.() !== false)
      return canRun ? usableKeys(id, chosenKeys) : []
    },
    [all, chosenKeys],
  )
  return <KeysContext value={lookUpKeys}>{children}</KeysContext>
}

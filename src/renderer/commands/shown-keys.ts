import { createContext, useContext } from 'react'
import { useTranslation } from 'react-i18next'

import type { CommandId } from '../../contract/domain/shortcuts.ts'
import { ariaKeys, writtenKeys } from './keys.ts'

/** The keys that a command has here and now, as the table of shortcuts writes them; none where it has nothing to do. */
export type KeysNow = (id: CommandId) => readonly string[]

/** Each window gives its own, so that whatever shows a command shows the keys that somebody chose for it. */
export const KeysContext = createContext<KeysNow>(() => [])

export type KeysText = (id: CommandId) => string | undefined

/** What to write beside a command: the first of its keys. */
export function useShownKeys(): KeysText {
  const keysNow = useContext(KeysContext)
  return (id) => {
    const [first] = keysNow(id)
    return first === undefined ? undefined : writtenKeys(first)
  }
}

/** All keys of a command, for `aria-keyshortcuts`. */
export function useAriaKeys(): KeysText {
  const keysNow = useContext(KeysContext)
  return (id) => {
    const keys = keysNow(id)
    return keys.length === 0 ? undefined : keys.map((each) => ariaKeys(each)).join(' ')
  }
}

interface Keyed {
  readonly title?: string
  readonly 'aria-keyshortcuts'?: string | undefined
}

/** The attributes by which a control of this name tells the keys that do the same; none where there are no keys. */
export function useKeyed(): (name: string, command: CommandId | null) => Keyed {
  const { t } = useTranslation('ui')
  const shownKeys = useShownKeys()
  const keysForAria = useAriaKeys()
  return (name, command) => {
    const key = command === null ? undefined : shownKeys(command)
    if (command === null || key === undefined) return {}
    return { title: t('withKey', { name, key }), 'aria-keyshortcuts': keysForAria(command) }
  }
}

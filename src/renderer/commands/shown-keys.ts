import type { CommandId } from '@galley/library/records'
import { createContext, useContext } from 'react'
import { useTranslation } from 'react-i18next'

import { ariaKeys, displayKeys } from './keys.ts'

/** The shortcuts of a command in table notation; none while it is unavailable. */
export type KeysLookup = (id: CommandId) => readonly string[]

/** Each window provides its own, so that shortcuts are shown as customised. */
export const KeysContext = createContext<KeysLookup>(() => [])

export type KeysFormatter = (id: CommandId) => string | undefined

/** Returns the first shortcut of a command, for display. */
export function useShownKeys(): KeysFormatter {
  const lookUpKeys = useContext(KeysContext)
  return (id) => {
    const [first] = lookUpKeys(id)
    return first === undefined ? undefined : displayKeys(first)
  }
}

/** Returns all shortcuts of a command for `aria-keyshortcuts`. */
export function useAriaKeys(): KeysFormatter {
  const lookUpKeys = useContext(KeysContext)
  return (id) => {
    const keys = lookUpKeys(id)
    return keys.length === 0 ? undefined : keys.map((each) => ariaKeys(each)).join(' ')
  }
}

interface Keyed {
  readonly title?: string
  readonly 'aria-keyshortcuts'?: string | undefined
}

/** Returns the attributes that show and announce a control's shortcuts; empty without shortcuts. */
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

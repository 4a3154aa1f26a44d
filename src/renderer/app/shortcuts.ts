import { viewNames } from './navigation.ts'
import type { ViewName } from './navigation.ts'

export type Shortcut = { readonly kind: 'go'; readonly view: ViewName } | { readonly kind: 'search' }

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** What a key press means anywhere in the window, or null; Cmd on macOS, Ctrl elsewhere. */
export function shortcutOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Keys, isMac: boolean): Shortcut | null {
  const isCommand = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey
  if (!isCommand || altKey || shiftKey) return null
  if (key.toLowerCase() === 'f') return { kind: 'search' }
  const view = /^[1-9]$/.test(key) ? viewNames[Number(key) - 1] : undefined
  return view === undefined ? null : { kind: 'go', view }
}

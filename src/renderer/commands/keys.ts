import type { ChosenShortcuts, CommandId } from '@galley/library/records'
import { keysOf, shortcuts } from '@galley/library/records'
import type { KeyPress } from '@galley/look'
import { keyOf } from '@galley/look'
import { keysIn } from '@galley/wire'

/** Whether `Mod` is Cmd, as on macOS, or Ctrl. */
export const isMac = navigator.userAgent.includes('Mac')

/** Whether a key press matches a shortcut such as `Mod+Shift+F`. Symbols such as `?` imply Shift. */
export function isPressed(shortcut: string, pressed: KeyPress, onMac: boolean): boolean {
  const parts = shortcut.split('+')
  const key = parts.at(-1) ?? ''
  const has = (name: string): boolean => parts.slice(0, -1).includes(name)
  const wantsMeta = has('Meta') || (onMac && has('Mod'))
  const wantsCtrl = has('Ctrl') || (!onMac && has('Mod'))
  const isSymbol = key.length === 1 && /[^a-z0-9]/i.test(key)
  const found = isSymbol ? pressed.key : keyOf(pressed)
  return (
    found.toLowerCase() === (key === 'Space' ? ' ' : key.toLowerCase()) &&
    pressed.ctrlKey === wantsCtrl &&
    pressed.metaKey === wantsMeta &&
    pressed.altKey === has('Alt') &&
    (isSymbol || pressed.shiftKey === has('Shift'))
  )
}

const hasModifier = (shortcut: string): boolean => /^(?:Mod|Ctrl|Alt|Meta)\+|^(?:Shift\+)?F\d+$/.test(shortcut)

/** The commands for a key press, of which some may not apply now; while typing, only shortcuts with a modifier count. */
export function commandsFor(
  pressed: KeyPress,
  chosen: ChosenShortcuts,
  onMac: boolean,
  isTyping: boolean,
): readonly CommandId[] {
  return keysIn(shortcuts).filter((id) => {
    const keys = keysOf(id, chosen).find((shortcut) => isPressed(shortcut, pressed, onMac))
    return keys !== undefined && (!isTyping || hasModifier(keys))
  })
}

const macNames: Readonly<Record<string, string>> = { Mod: '⌘', Meta: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧', Enter: '↩' }
const names: Readonly<Record<string, string>> = {
  Mod: 'Ctrl',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
}

/** A shortcut for display: `Ctrl+Shift+F`, `⇧⌘F`. */
export function displayKeys(shortcut: string, onMac: boolean = isMac): string {
  const parts = shortcut.split('+').map((part) => (onMac ? (macNames[part] ?? names[part]) : names[part]) ?? part)
  return parts.join(onMac ? '' : '+')
}

/** A shortcut for `aria-keyshortcuts`: `Control+Shift+F`. */
export const ariaKeys = (shortcut: string, onMac: boolean = isMac): string =>
  shortcut.replace('Mod', onMac ? 'Meta' : 'Control').replace('Ctrl', 'Control')

/** The shortcuts of a command that this keyboard can type: `Meta` exists only on macOS. */
export const usableKeys = (id: CommandId, chosen: ChosenShortcuts): readonly string[] =>
  keysOf(id, chosen).filter((keys) => isMac || !keys.startsWith('Meta+'))

const isModifier = (key: string): boolean => /^(?:Control|Meta|Alt|AltGraph|Shift|CapsLock|Dead|Process)$/.test(key)

/**
 * A key press in the table's notation, such as `Mod+Shift+F`; null for bare modifiers, and for space and plus, which
 * the notation cannot express.
 */
export function shortcutOf(pressed: KeyPress, onMac: boolean): string | null {
  const key = keyOf(pressed)
  if (isModifier(key) || key === ' ' || key === '+') return null
  const isSymbol = key.length === 1 && /[^a-z0-9]/i.test(key)
  const isMod = onMac ? pressed.metaKey : pressed.ctrlKey
  const isOther = onMac ? pressed.ctrlKey : pressed.metaKey
  return [
    ...(isMod ? ['Mod'] : []),
    ...(isOther ? [onMac ? 'Ctrl' : 'Meta'] : []),
    ...(pressed.altKey ? ['Alt'] : []),
    // Symbols imply Shift.
    ...(pressed.shiftKey && !isSymbol ? ['Shift'] : []),
    key.length === 1 ? key.toUpperCase() : key,
  ].join('+')
}

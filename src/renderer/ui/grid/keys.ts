import type { KeyboardEvent } from 'react'

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The grid's state when a key is pressed. */
interface GridState {
  readonly hasActiveRow: boolean
  readonly isAtTop: boolean
  readonly canSelect: boolean
  readonly hasSelection: boolean
}

/** The command for a key; null for movement, letters and all other keys. */
export type GridCommand = 'menu' | 'selectAll' | 'toggle' | 'clear' | 'open' | 'preview' | 'header'

export function commandOf(pressed: Pressed, state: GridState): GridCommand | null {
  const { key, code, shiftKey } = pressed
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) return 'menu'
  if (pressed.ctrlKey || pressed.metaKey) {
    if (!state.canSelect) return null
    return code === 'KeyA' && !shiftKey ? 'selectAll' : key === ' ' ? 'toggle' : null
  }
  if (pressed.altKey) return null
  if (key === 'Escape' && state.hasSelection) return 'clear'
  if (key === 'Enter' && state.hasActiveRow) return 'open'
  if (key === ' ' && state.hasActiveRow) return 'preview'
  if (key === 'ArrowUp' && state.isAtTop && !shiftKey) return 'header'
  return null
}

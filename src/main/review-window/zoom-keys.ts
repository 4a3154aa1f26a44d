import type { KeyPress } from '@galley/look'
import { keyOf } from '@galley/look'

/** One step of Electron's zoom, in its levels. */
const step = 0.5

/**
 * The zoom level for a key; null for every other key. A review window has no menu, which handles these keys in the main
 * window. Plus and minus work at any position on the keyboard.
 */
export function zoomLevelFor(pressed: KeyPress, level: number): number | null {
  if (!(pressed.ctrlKey || pressed.metaKey) || pressed.altKey) return null
  switch (keyOf(pressed)) {
    case '+':
    case '=':
      return level + step
    case '-':
      return level - step
    case '0':
      return 0
    default:
      return null
  }
}

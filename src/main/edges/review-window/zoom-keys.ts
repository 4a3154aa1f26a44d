import type { KeyPress } from '../../../contract/domain/key-press.ts'
import { keyOf } from '../../../contract/domain/key-press.ts'

/** One step of Electron's own zoom lines, in its levels. */
const step = 0.5

/**
 * The zoom level that a key asks for, null for every other key. A review window has no menu, which has these keys in the other
 * window; plus and minus count wherever a keyboard has them.
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

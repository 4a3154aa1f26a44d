/** What all windows share: colors, type and names of keys. */

export type { KeyPress } from './key-press.ts'
export { keyOf } from './key-press.ts'

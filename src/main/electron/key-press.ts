import type { KeyPress } from '@galley/look'
import type { Input } from 'electron'

/** The key press of a `before-input-event`, in the form that the renderer's key events have. */
export const keyPressOf = ({ key, code, control, alt, meta, shift }: Input): KeyPress => ({
  key,
  code,
  ctrlKey: control,
  metaKey: meta,
  altKey: alt,
  shiftKey: shift,
})

import type { Editor } from '@tiptap/core'

import type { PlacedNode } from '../prose/block-path.ts'
import { setField } from '../prose/set-field.ts'
import { Segments } from './field.tsx'

const sizes = [
  { value: 'small', label: 'Small' },
  { value: 'medium', label: 'Medium' },
  { value: 'large', label: 'Large' },
] as const

/** Height of a spacer. */
export function SpacerSettings({ editor, placed }: { readonly editor: Editor; readonly placed: PlacedNode }) {
  return (
    <Segments
      label="Height"
      value={sizes.find(({ value }) => value === placed.node.attrs['size'])?.value ?? 'medium'}
      options={sizes}
      onChoose={(size) => setField(editor.view, placed.pos, 'size', size)}
    />
  )
}

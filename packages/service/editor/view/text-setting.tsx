import type { Editor } from '@tiptap/core'
import type { Transaction } from '@tiptap/pm/state'
import { useRef } from 'react'

import type { PlacedNode } from '../prose/block-path.ts'
import { setField } from '../prose/set-field.ts'
import { TextField } from './field.tsx'

interface Props {
  readonly editor: Editor
  readonly placed: PlacedNode
  readonly field: string
  readonly label: string
  readonly help?: string
  readonly isLong?: boolean
}

/** A text field of a block. All typing while it has the focus is undone in one step. */
export function TextSetting({ editor, placed, field, label, help, isLong = false }: Props) {
  const begun = useRef<Transaction | null>(null)
  return (
    <TextField
      label={label}
      value={String(placed.node.attrs[field] ?? '')}
      isLong={isLong}
      {...(help !== undefined && { help })}
      onFocus={() => {
        begun.current = null
      }}
      onInput={(value) => {
        const tr = setField(editor.view, placed.pos, field, value, begun.current)
        begun.current ??= tr
      }}
    />
  )
}

import type { Editor } from '@tiptap/core'
import type { Transaction } from '@tiptap/pm/state'
import { RefreshCw } from 'lucide-react'
import { useRef } from 'react'

import type { Assets } from '../page/assets.ts'
import { isPublic } from '../page/assets.ts'
import type { PlacedNode } from '../prose/block-path.ts'
import { setField } from '../prose/set-field.ts'
import { Button } from './button.tsx'
import { Segments, TextField } from './field.tsx'
import styles from './settings.module.css'

interface TextSettingProps {
  readonly editor: Editor
  readonly placed: PlacedNode
  readonly field: string
  readonly label: string
  readonly help?: string
  readonly isLong?: boolean
}

/** A text field of a block. All typing while it has the focus is undone in one step. */
function TextSetting({ editor, placed, field, label, help, isLong = false }: TextSettingProps) {
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

interface Props {
  readonly editor: Editor
  readonly placed: PlacedNode
  readonly assets: Assets
  readonly onReplace: () => void
}

const sizes = [
  { value: 'text', label: 'Text' },
  { value: 'wide', label: 'Wide' },
  { value: 'full', label: 'Full' },
] as const

/** Settings of a picture or video: its texts, width and file. */
export function MediaSettings({ editor, placed, assets, onReplace }: Props) {
  const { node, pos } = placed
  const file = String(node.attrs['file'])
  const isImage = node.type.name === 'image'
  const size = sizes.find(({ value }) => value === node.attrs['size'])?.value ?? 'text'
  const url = assets.get(file)
  return (
    <>
      {isImage ? (
        <TextSetting
          editor={editor}
          placed={placed}
          field="alt"
          label="Alternative text"
          help="Describes the picture for people who can’t see it. Leave empty if it is decorative."
          isLong
        />
      ) : (
        <TextSetting
          editor={editor}
          placed={placed}
          field="label"
          label="Video title"
          help="Read aloud by screen readers."
        />
      )}
      <TextSetting editor={editor} placed={placed} field="caption" label="Caption" />
      <Segments
        label="Width"
        value={size}
        options={sizes}
        onChoose={(chosen) => setField(editor.view, pos, 'size', chosen)}
      />
      <p className={styles.note}>
        <strong>{file}</strong>
        {url !== undefined && isPublic(url) ? (
          <>
            On the site:{' '}
            <a href={url.clientUrl} target="_blank" rel="noreferrer">
              {url.clientUrl}
            </a>
          </>
        ) : (
          'Not on the site yet. It is uploaded with the next save.'
        )}
      </p>
      <div className={styles.row}>
        <Button icon={RefreshCw} onClick={onReplace}>
          Replace file
        </Button>
      </div>
    </>
  )
}

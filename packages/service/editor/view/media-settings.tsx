import type { Editor } from '@tiptap/core'
import { RefreshCw } from 'lucide-react'

import type { Assets } from '../page/assets.ts'
import { isPublic } from '../page/assets.ts'
import type { PlacedNode } from '../prose/block-path.ts'
import { setField } from '../prose/set-field.ts'
import { Button } from './button.tsx'
import { Segments } from './field.tsx'
import styles from './settings.module.css'
import { TextSetting } from './text-setting.tsx'

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

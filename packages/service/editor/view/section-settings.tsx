import type { Editor } from '@tiptap/core'

import type { PlacedNode } from '../prose/block-path.ts'
import { unwrapSection } from '../prose/section.ts'
import { setField } from '../prose/set-field.ts'
import { Button } from './button.tsx'
import { Segments } from './field.tsx'
import styles from './settings.module.css'
import { Swatches } from './swatches.tsx'

const paddings = [
  { value: 'none', label: 'None' },
  { value: 'small', label: 'Small' },
  { value: 'medium', label: 'Medium' },
  { value: 'large', label: 'Large' },
] as const

/** Background and padding of a section. */
export function SectionSettings({ editor, placed }: { readonly editor: Editor; readonly placed: PlacedNode }) {
  const { node, pos } = placed
  const background: unknown = node.attrs['background']
  return (
    <>
      <Swatches
        label="Background"
        value={typeof background === 'string' ? background : null}
        onChoose={(colour) => setField(editor.view, pos, 'background', colour)}
      />
      <Segments
        label="Space above and below"
        value={paddings.find(({ value }) => value === node.attrs['padding'])?.value ?? 'medium'}
        options={paddings}
        onChoose={(padding) => setField(editor.view, pos, 'padding', padding)}
      />
      <div className={styles.row}>
        <Button onClick={() => editor.view.dispatch(unwrapSection(editor.state, pos))}>
          Remove section, keep content
        </Button>
      </div>
    </>
  )
}

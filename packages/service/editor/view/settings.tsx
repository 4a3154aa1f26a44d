import type { Editor } from '@tiptap/core'
import type { ReactNode } from 'react'

import type { Assets } from '../page/assets.ts'
import { textOrNull } from '../page/text-value.ts'
import type { PlacedNode } from '../prose/block-path.ts'
import { blockPath } from '../prose/block-path.ts'
import { addColumn, columnLimit, mergeLastColumn } from '../prose/columns.ts'
import { unwrapSection } from '../prose/section.ts'
import { setField } from '../prose/set-field.ts'
import { Button } from './button.tsx'
import { Segments, SelectField } from './field.tsx'
import { MediaSettings } from './media-settings.tsx'
import styles from './settings.module.css'
import { Swatches } from './swatches.tsx'

const paddings = [
  { value: 'none', label: 'None' },
  { value: 'small', label: 'Small' },
  { value: 'medium', label: 'Medium' },
  { value: 'large', label: 'Large' },
] as const

/** Background and padding of a section. */
function SectionSettings({ editor, placed }: { readonly editor: Editor; readonly placed: PlacedNode }) {
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

const sizes = [
  { value: 'small', label: 'Small' },
  { value: 'medium', label: 'Medium' },
  { value: 'large', label: 'Large' },
] as const

/** Height of a spacer. */
function SpacerSettings({ editor, placed }: { readonly editor: Editor; readonly placed: PlacedNode }) {
  return (
    <Segments
      label="Height"
      value={sizes.find(({ value }) => value === placed.node.attrs['size'])?.value ?? 'medium'}
      options={sizes}
      onChoose={(size) => setField(editor.view, placed.pos, 'size', size)}
    />
  )
}

/** Sets the number of columns. */
function ColumnsSettings({ editor, placed }: { readonly editor: Editor; readonly placed: PlacedNode }) {
  const { node, pos } = placed
  return (
    <>
      <p className={styles.note}>{node.childCount} columns. On narrow screens they are stacked.</p>
      <div className={styles.row}>
        {node.childCount < columnLimit && (
          <Button onClick={() => editor.view.dispatch(addColumn(editor.state, pos))}>Add column</Button>
        )}
        <Button onClick={() => editor.view.dispatch(mergeLastColumn(editor.state, pos))}>
          {node.childCount > 2 ? 'Merge last two' : 'Convert to one column'}
        </Button>
      </div>
    </>
  )
}

interface Props {
  readonly editor: Editor
  readonly assets: Assets
  readonly families: readonly string[]
  readonly onReplace: (pos: number) => void
}

interface PageSettingsProps {
  readonly editor: Editor
  readonly families: readonly string[]
}

/** Fonts and background of the page. */
function PageSettings({ editor, families }: PageSettingsProps) {
  const { attrs } = editor.state.doc
  const fontField = (label: string, field: 'headingFont' | 'textFont') => {
    const font = textOrNull(attrs[field])
    const names = font === null || families.includes(font) ? families : [...families, font]
    return (
      <SelectField
        label={label}
        value={font ?? ''}
        options={[
          { value: '', label: 'Site default' },
          ...names.map((name) => ({
            value: name,
            label: families.includes(name) ? name : `${name} (not a site font)`,
          })),
        ]}
        {...(families.length === 0 && field === 'textFont' && { help: 'This site hasn’t sent its fonts.' })}
        onChoose={(chosen) => setField(editor.view, null, field, chosen === '' ? null : chosen)}
      />
    )
  }
  return (
    <>
      {fontField('Heading font', 'headingFont')}
      {fontField('Body font', 'textFont')}
      <Swatches
        label="Background"
        value={textOrNull(attrs['background'])}
        onChoose={(colour) => setField(editor.view, null, 'background', colour)}
      />
    </>
  )
}

/** Settings of the current block, of its containers, and of the page. */
export function Settings({ editor, assets, families, onReplace }: Props) {
  const groups = blockPath(editor.state).flatMap((placed) => groupOf(placed, { editor, assets, onReplace }) ?? [])
  return (
    <aside className={styles.settings} aria-label="Settings" data-region>
      {groups}
      <Group title="Page">
        <PageSettings editor={editor} families={families} />
      </Group>
    </aside>
  )
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.group} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function groupOf(placed: PlacedNode, { editor, assets, onReplace }: Omit<Props, 'families'>): ReactNode {
  const { node, pos } = placed
  const key = `${node.type.name}-${pos}`
  switch (node.type.name) {
    case 'image':
    case 'video':
      return (
        <Group key={key} title={node.type.name === 'image' ? 'Picture' : 'Video'}>
          <MediaSettings editor={editor} placed={placed} assets={assets} onReplace={() => onReplace(pos)} />
        </Group>
      )
    case 'spacer':
      return (
        <Group key={key} title="Space">
          <SpacerSettings editor={editor} placed={placed} />
        </Group>
      )
    case 'columns':
      return (
        <Group key={key} title="Columns">
          <ColumnsSettings editor={editor} placed={placed} />
        </Group>
      )
    case 'section':
      return (
        <Group key={key} title="Section">
          <SectionSettings editor={editor} placed={placed} />
        </Group>
      )
    case 'foreign':
      return (
        <Group key={key} title="Unknown block">
          <p className={styles.note}>
            This block comes from another editor. It is saved unchanged, but the page created here doesn’t show it.
          </p>
        </Group>
      )
    default:
      return null
  }
}

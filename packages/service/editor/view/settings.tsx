import type { Editor } from '@tiptap/core'
import type { ReactNode } from 'react'

import type { Assets } from '../page/assets.ts'
import type { PlacedNode } from '../prose/block-path.ts'
import { blockPath } from '../prose/block-path.ts'
import { ColumnsSettings } from './columns-settings.tsx'
import { MediaSettings } from './media-settings.tsx'
import { PageSettings } from './page-settings.tsx'
import { SectionSettings } from './section-settings.tsx'
import styles from './settings.module.css'
import { SpacerSettings } from './spacer-settings.tsx'

interface Props {
  readonly editor: Editor
  readonly assets: Assets
  readonly families: readonly string[]
  readonly onReplace: (pos: number) => void
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

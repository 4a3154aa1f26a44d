import type { Editor } from '@tiptap/core'
import { NodeSelection } from '@tiptap/pm/state'
import { useEffect } from 'react'

const names: Readonly<Record<string, string>> = {
  image: 'Picture',
  video: 'Video',
  spacer: 'Space',
  horizontalRule: 'Line',
  columns: 'Columns',
  column: 'Column',
  section: 'Section',
  paragraph: 'Text',
  heading: 'Heading',
  bulletList: 'Bulleted list',
  orderedList: 'Numbered list',
  listItem: 'List item',
  blockquote: 'Quote',
  foreign: 'Block from another editor',
}

/** Announces the selected block, since screen readers only follow the text cursor. */
export function useSelectionAnnouncement({ state: { selection } }: Editor, announce: (sentence: string) => void): void {
  const node = selection instanceof NodeSelection ? selection.node : null
  const words: unknown = node?.attrs['alt'] ?? node?.attrs['label']
  const name = node === null ? null : `${names[node.type.name] ?? 'Block'} ${typeof words === 'string' ? words : ''}`
  const place = node === null ? null : selection.from
  useEffect(() => {
    if (name !== null && place !== null) announce(`${name.trim()} selected.`)
  }, [name, place, announce])
}

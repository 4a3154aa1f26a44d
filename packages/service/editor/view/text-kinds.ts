import type { Editor } from '@tiptap/core'

import { keyName } from './key-name.ts'

/** The kinds a text block can be converted to, in menu order. */
export const textKinds = [
  { value: 'paragraph', label: 'Text', keys: keyName('Mod+Alt+0') },
  { value: 'heading2', label: 'Heading', keys: keyName('Mod+Alt+2') },
  { value: 'heading3', label: 'Small heading', keys: keyName('Mod+Alt+3') },
  { value: 'heading4', label: 'Smallest heading', keys: keyName('Mod+Alt+4') },
  { value: 'bulletList', label: 'Bulleted list', keys: keyName('Mod+Shift+8') },
  { value: 'orderedList', label: 'Numbered list', keys: keyName('Mod+Shift+7') },
  { value: 'blockquote', label: 'Quote', keys: keyName('Mod+Shift+B') },
] as const

/** The kind at the cursor; empty in the title and on pictures. */
export function currentTextKind(editor: Editor): string {
  const list = (['bulletList', 'orderedList', 'blockquote'] as const).find((name) => editor.isActive(name))
  const { parent } = editor.state.selection.$from
  if (list !== undefined) return list
  if (parent.type.name === 'heading') return `heading${String(parent.attrs['level'])}`
  return parent.type.name === 'paragraph' ? 'paragraph' : ''
}

/** Converts the selected text blocks to another kind. */
export function setTextKind(editor: Editor, kind: string): void {
  const current = currentTextKind(editor)
  if (kind === current) return
  const chain = editor.chain().focus()
  // Lists and quotes contain text blocks, so lift the text out first.
  if (current === 'bulletList') chain.toggleBulletList()
  if (current === 'orderedList') chain.toggleOrderedList()
  if (current === 'blockquote') chain.toggleBlockquote()
  if (kind === 'bulletList') chain.toggleBulletList()
  else if (kind === 'orderedList') chain.toggleOrderedList()
  else if (kind === 'blockquote') chain.toggleBlockquote()
  else if (kind === 'paragraph') chain.setParagraph()
  else chain.setHeading({ level: kind === 'heading2' ? 2 : kind === 'heading3' ? 3 : 4 })
  chain.run()
}

import { Toolbar } from '@base-ui/react/toolbar'
import type { Editor } from '@tiptap/core'
import { AlignCenter, AlignLeft, AlignRight, Bold, Italic } from 'lucide-react'

import { familyList } from '../page/looks.ts'
import { blockPath } from '../prose/block-path.ts'
import { setField } from '../prose/set-field.ts'
import { BackgroundButton } from './background-button.tsx'
import { BlockActions } from './block-actions.tsx'
import { IconButton } from './button.tsx'
import { ChoiceMenu } from './choice-menu.tsx'
import styles from './format-bar.module.css'
import { InsertMenu } from './insert-menu.tsx'
import type { InsertPorts } from './insertables.ts'
import { LinkButton } from './link-button.tsx'
import { currentTextKind, setTextKind, textKinds } from './text-kinds.ts'

interface Props extends InsertPorts {
  readonly families: readonly string[]
  readonly link: { readonly isOpen: boolean; readonly onOpenChange: (isOpen: boolean) => void }
  /** Announces a sentence to screen readers. */
  readonly announce: (sentence: string) => void
}

const alignments = [
  { value: 'start', label: 'Align left', icon: AlignLeft },
  { value: 'center', label: 'Align centre', icon: AlignCenter },
  { value: 'end', label: 'Align right', icon: AlignRight },
] as const

/** The text blocks in the selection; only these have an alignment and a font. */
function textBlocks({
  state,
}: Editor): readonly { readonly pos: number; readonly attrs: Readonly<Record<string, unknown>> }[] {
  const found: { pos: number; attrs: Record<string, unknown> }[] = []
  state.doc.nodesBetween(state.selection.from, state.selection.to, (node, pos) => {
    if (node.type.name === 'paragraph' || node.type.name === 'heading') found.push({ pos, attrs: node.attrs })
  })
  return found
}

/** Toolbar for the selected text and blocks: one Tab stop, arrow keys move between its buttons. */
export function FormatBar({ editor, chooseMedia, families, link, announce }: Props) {
  const blocks = textBlocks(editor)
  const first = blocks[0]?.attrs
  const set = (field: string, value: unknown): void => {
    for (const { pos } of blocks) setField(editor.view, pos, field, value)
  }
  const font = first?.['font']
  const canMark = currentTextKind(editor) !== ''
  const backToText = (): HTMLElement => editor.view.dom

  return (
    <Toolbar.Root
      className={styles.bar}
      aria-label="Format"
      data-region
      // Keep the text selection when the bar is clicked. Portalled popups bubble events here, so check the target.
      onMouseDown={(event) => {
        if (event.target instanceof Node && event.currentTarget.contains(event.target)) event.preventDefault()
      }}
    >
      <InsertMenu editor={editor} chooseMedia={chooseMedia} />
      <Toolbar.Separator className={styles.rule} />
      <ChoiceMenu
        label="Text style"
        value={currentTextKind(editor)}
        otherwise={blockPath(editor.state)[0]?.node.type.name === 'title' ? 'Title' : 'No text'}
        options={textKinds}
        onChoose={(kind) => setTextKind(editor, kind)}
        focusAfter={backToText}
      />
      <IconButton
        icon={Bold}
        label="Bold"
        keys="Mod+B"
        aria-pressed={editor.isActive('bold')}
        render={<Toolbar.Button disabled={!canMark} />}
        onClick={() => editor.commands.toggleBold()}
      />
      <IconButton
        icon={Italic}
        label="Italic"
        keys="Mod+I"
        aria-pressed={editor.isActive('italic')}
        render={<Toolbar.Button disabled={!canMark} />}
        onClick={() => editor.commands.toggleItalic()}
      />
      <LinkButton editor={editor} isDisabled={!canMark} {...link} />
      <Toolbar.Separator className={styles.rule} />
      {alignments.map(({ value, label, icon }) => (
        <IconButton
          key={value}
          icon={icon}
          label={label}
          aria-pressed={first?.['align'] === value}
          render={<Toolbar.Button disabled={first === undefined} />}
          onClick={() => set('align', value)}
        />
      ))}
      <ChoiceMenu
        label="Font"
        value={typeof font === 'string' ? font : ''}
        otherwise={typeof font === 'string' ? font : 'Page font'}
        options={[
          { value: '', label: 'Page font' },
          ...families.map((family) => ({ value: family, label: family, face: familyList(family) })),
        ]}
        onChoose={(family) => set('font', family === '' ? null : family)}
        focusAfter={backToText}
      />
      <BackgroundButton
        editor={editor}
        onRefused={() => announce('Select text or pictures first. The title uses the page background.')}
      />
      <Toolbar.Separator className={styles.rule} />
      <BlockActions editor={editor} announce={announce} />
    </Toolbar.Root>
  )
}

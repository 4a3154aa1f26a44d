import { Toolbar } from '@base-ui/react/toolbar'
import type { Editor } from '@tiptap/core'
import { AlignCenter, AlignLeft, AlignRight, ArrowDown, ArrowUp, Bold, Italic, Trash2 } from 'lucide-react'

import { familyList } from '../page/looks.ts'
import { blockPath } from '../prose/block-path.ts'
import { setField } from '../prose/set-field.ts'
import { deleteBlocks, moveBlocks, selectedBlocks } from '../prose/whole-blocks.ts'
import { BackgroundButton } from './background-button.tsx'
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
  /** Says something that only people who cannot see the page need to hear. */
  readonly announce: (sentence: string) => void
}

const alignments = [
  { value: 'start', label: 'Align left', icon: AlignLeft },
  { value: 'center', label: 'Align centre', icon: AlignCenter },
  { value: 'end', label: 'Align right', icon: AlignRight },
] as const

/** The text blocks in the selection: those that have an alignment and a font. */
function textBlocks({
  state,
}: Editor): readonly { readonly pos: number; readonly attrs: Readonly<Record<string, unknown>> }[] {
  const found: { pos: number; attrs: Record<string, unknown> }[] = []
  state.doc.nodesBetween(state.selection.from, state.selection.to, (node, pos) => {
    if (node.type.name === 'paragraph' || node.type.name === 'heading') found.push({ pos, attrs: node.attrs })
  })
  return found
}

/** Everything that is done to the selected words and blocks; one stop for the Tab key, arrows within. */
export function FormatBar({ editor, chooseMedia, families, link, announce }: Props) {
  const blocks = textBlocks(editor)
  const first = blocks[0]?.attrs
  const set = (field: string, value: unknown): void => {
    for (const { pos } of blocks) setField(editor.view, pos, field, value)
  }
  const font = first?.['font']
  const canMark = currentTextKind(editor) !== ''
  const backToText = (): HTMLElement => editor.view.dom

  function move(direction: 'up' | 'down'): void {
    const moved = moveBlocks(editor.state, direction)
    if (moved === null) return announce(`This is as far ${direction} as it goes.`)
    editor.view.dispatch(moved)
    announce(whereItIs(editor))
  }
  function remove(): void {
    const removed = deleteBlocks(editor.state)
    if (removed === null) return announce('The title cannot be deleted. Empty it instead.')
    editor.view.dispatch(removed)
    announce('Deleted.')
  }

  return (
    <Toolbar.Root
      className={styles.bar}
      aria-label="Format"
      data-region
      // A press with the mouse leaves the cursor in the text; what pops up is no part of the bar.
      onMouseDown={(event) => {
        if (event.target instanceof Node && event.currentTarget.contains(event.target)) event.preventDefault()
      }}
    >
      <InsertMenu editor={editor} chooseMedia={chooseMedia} />
      <Toolbar.Separator className={styles.rule} />
      <ChoiceMenu
        label="Kind of text"
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
        onRefused={() => announce('Select text or pictures first: the title has the background of the page.')}
      />
      <Toolbar.Separator className={styles.rule} />
      <Toolbar.Group className={styles.group} aria-label="Block">
        <IconButton
          icon={ArrowUp}
          label="Move up"
          keys="Alt+Shift+ArrowUp"
          render={<Toolbar.Button />}
          onClick={() => move('up')}
        />
        <IconButton
          icon={ArrowDown}
          label="Move down"
          keys="Alt+Shift+ArrowDown"
          render={<Toolbar.Button />}
          onClick={() => move('down')}
        />
        <IconButton
          icon={Trash2}
          label="Delete block"
          keys="Alt+Shift+Backspace"
          render={<Toolbar.Button />}
          onClick={remove}
        />
      </Toolbar.Group>
    </Toolbar.Root>
  )
}

function whereItIs({ state }: Editor): string {
  const blocks = selectedBlocks(state)
  if (blocks === null) return ''
  const container = blocks.$pos.node(blocks.depth)
  const isPage = blocks.depth === 0
  return `Moved. Now ${blocks.first + (isPage ? 0 : 1)} of ${container.childCount - (isPage ? 1 : 0)}.`
}

import { Toolbar } from '@base-ui/react/toolbar'
import type { Editor } from '@tiptap/core'
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'

import { deleteBlocks, moveBlocks, selectedBlocks } from '../prose/whole-blocks.ts'
import { IconButton } from './button.tsx'
import styles from './format-bar.module.css'

interface Props {
  readonly editor: Editor
  readonly announce: (sentence: string) => void
}

/** Buttons that move or delete the selected blocks. */
export function BlockActions({ editor, announce }: Props) {
  function move(direction: 'up' | 'down'): void {
    const moved = moveBlocks(editor.state, direction)
    if (moved === null) return announce(`The block can’t move further ${direction}.`)
    editor.view.dispatch(moved)
    announce(positionText(editor))
  }
  function remove(): void {
    const removed = deleteBlocks(editor.state)
    if (removed === null) return announce('The title can’t be deleted. Clear it instead.')
    editor.view.dispatch(removed)
    announce('Deleted.')
  }

  return (
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
  )
}

function positionText({ state }: Editor): string {
  const blocks = selectedBlocks(state)
  if (blocks === null) return ''
  const container = blocks.$pos.node(blocks.depth)
  const isPage = blocks.depth === 0
  return `Moved. Now ${blocks.first + (isPage ? 0 : 1)} of ${container.childCount - (isPage ? 1 : 0)}.`
}

import type { Editor } from '@tiptap/core'

import type { PlacedNode } from '../prose/block-path.ts'
import { addColumn, columnLimit, mergeLastColumn } from '../prose/columns.ts'
import { Button } from './button.tsx'
import styles from './settings.module.css'

/** Sets the number of columns. */
export function ColumnsSettings({ editor, placed }: { readonly editor: Editor; readonly placed: PlacedNode }) {
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

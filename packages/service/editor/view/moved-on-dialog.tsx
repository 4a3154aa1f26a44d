import type { Editor } from '@tiptap/core'
import { useEffect } from 'react'

import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import styles from './moved-on-dialog.module.css'

interface Props {
  readonly editor: Editor
  readonly onSave: () => void
  readonly onClose: () => void
}

/** Asks before a save replaces a newer one from another tab or person. */
export function MovedOnDialog({ editor, onSave, onClose }: Props) {
  // The dialog returns the focus to the page when it closes, but does not restore the text cursor.
  useEffect(() => () => editor.view.focus(), [editor])
  return (
    <Dialog title="This page was saved elsewhere" onClose={onClose}>
      <p className={styles.text}>
        It was saved in another tab or by someone else after you opened it here. If you save now, your version becomes
        the current one. The other version stays in the history.
      </p>
      <footer className={styles.foot}>
        <Button onClick={onClose}>Don’t save</Button>
        <Button look="primary" onClick={onSave}>
          Save anyway
        </Button>
      </footer>
    </Dialog>
  )
}

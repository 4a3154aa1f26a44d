import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import styles from './moved-on-dialog.module.css'

/** Asks before a save goes over one that was made in another tab, or by somebody else. */
export function MovedOnDialog({ onSave, onClose }: { readonly onSave: () => void; readonly onClose: () => void }) {
  return (
    <Dialog title="This page was saved elsewhere" onClose={onClose}>
      <p className={styles.text}>
        Since you opened it here, it was saved in another tab or by someone else. If you save now, your version replaces
        that one. The other version stays in the history.
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

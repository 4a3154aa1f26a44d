import type { Editor } from '@tiptap/core'
import { useEffect } from 'react'

import type { SessionApi } from '../session/api.ts'
import type { Notice } from '../session/outcome.ts'
import type { SessionView } from '../session/session.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FaultsDialog } from './faults-dialog.tsx'
import { HistoryDialog } from './history-dialog.tsx'
import { keyName } from './key-name.ts'
import { momentOf } from './moments.ts'
import styles from './workbench-dialogs.module.css'

interface MovedOnDialogProps {
  readonly editor: Editor
  readonly onSave: () => void
  readonly onClose: () => void
}

/** Asks before a save replaces a newer one from another tab or person. */
export function MovedOnDialog({ editor, onSave, onClose }: MovedOnDialogProps) {
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

const keys = [
  ['Save', 'Mod+S'],
  ['Undo', 'Mod+Z'],
  ['Redo', 'Mod+Shift+Z'],
  ['Insert', '/'],
  ['Bold', 'Mod+B'],
  ['Italic', 'Mod+I'],
  ['Link', 'Mod+K'],
  ['Heading, small, smallest', 'Mod+Alt+2…4'],
  ['Text', 'Mod+Alt+0'],
  ['Move block up', 'Alt+Shift+ArrowUp'],
  ['Move block down', 'Alt+Shift+ArrowDown'],
  ['Delete block', 'Alt+Shift+Backspace'],
  ['Select enclosing block', 'Escape'],
  ['New line in the same block', 'Shift+Enter'],
  ['Next area of the window', 'F6'],
] as const

/** Lists the editor's keyboard shortcuts. */
function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={styles.keys}>
        {keys.map(([what, key]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              <kbd>{keyName(key)}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

export type DialogName = 'history' | 'keys' | 'faults'

interface Props {
  /** The open dialog; null for none. */
  readonly open: DialogName | null
  readonly api: SessionApi
  readonly session: SessionView
  readonly hasUnsavedChanges: boolean
  readonly onSession: (session: SessionView, initialNotice: Notice) => void
  readonly onClose: () => void
}

/** The dialogs that the top bar opens. */
export function WorkbenchDialogs({ open, api, session, hasUnsavedChanges, onSession, onClose }: Props) {
  switch (open) {
    case 'history':
      return (
        <HistoryDialog
          api={api}
          keptUntil={session.historyKeptUntil}
          hasUnsavedChanges={hasUnsavedChanges}
          onClose={onClose}
          onRolledBack={(rolledBack, { savedAt }) => {
            const text = `Restored the version from ${momentOf(savedAt)}. Save to publish it to the site.`
            onSession(rolledBack, { tone: 'quiet', text })
          }}
        />
      )
    case 'keys':
      return <KeysDialog onClose={onClose} />
    case 'faults':
      return <FaultsDialog api={api} onClose={onClose} />
    case null:
      return null
  }
}

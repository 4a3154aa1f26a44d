import type { SessionApi } from '../session/api.ts'
import type { Notice } from '../session/outcome.ts'
import type { SessionView } from '../session/session.ts'
import { FaultsDialog } from './faults-dialog.tsx'
import { HistoryDialog } from './history-dialog.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { momentOf } from './moments.ts'

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

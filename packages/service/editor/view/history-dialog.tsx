import { useEffect, useState } from 'react'

import type { SessionApi } from '../session/api.ts'
import type { SessionView, VersionView } from '../session/session.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import styles from './history-dialog.module.css'
import { dayOf, momentOf } from './moments.ts'
import { VersionPreview } from './version-preview.tsx'

interface Props {
  readonly api: SessionApi
  readonly keptUntil: string | null
  readonly hasUnsavedChanges: boolean
  readonly onClose: () => void
  /** Called with the session after a rollback. */
  readonly onRolledBack: (session: SessionView, version: VersionView) => void
}

const outcomeWords = {
  merged: 'Saved',
  rejected: 'Rejected by the site',
  webhook_failed: 'Not confirmed by the site',
}

/** Lists the saved versions with a preview, and rolls back to one of them. */
export function HistoryDialog({ api, keptUntil, hasUnsavedChanges, onClose, onRolledBack }: Props) {
  const [versions, setVersions] = useState<readonly VersionView[] | null>(null)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const chosen = versions?.find(({ versionId }) => versionId === chosenId)

  useEffect(() => {
    async function list(): Promise<void> {
      const answer = await api.versions()
      if (!answer.ok) return setProblem(answer.failure)
      setVersions(answer.value)
      setChosenId((answer.value.find(({ isCurrent }) => isCurrent) ?? answer.value[0])?.versionId ?? null)
    }
    void list()
  }, [api])

  async function rollBack(version: VersionView): Promise<void> {
    const answer = await api.rollBack(version.versionId)
    if (answer.ok) onRolledBack(answer.value, version)
    else setProblem(answer.failure)
  }

  return (
    <Dialog title="History" size="large" onClose={onClose}>
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <div className={styles.panes}>
        <div className={styles.list} role="radiogroup" aria-label="Versions">
          {versions?.map((version) => (
            <label key={version.versionId} className={styles.version}>
              <input
                type="radio"
                name="version"
                checked={version.versionId === chosenId}
                onChange={() => setChosenId(version.versionId)}
              />
              <span>
                <strong>{momentOf(version.savedAt)}</strong>
                {version.isCurrent && <em>Current</em>}
                <small>
                  {version.outcome === null ? 'No response from the site' : outcomeWords[version.outcome.result]}
                </small>
                <small>
                  {[version.userEmail, fileCount(version.mediaCount)].filter((part) => part !== null).join(' · ')}
                </small>
              </span>
            </label>
          ))}
          {versions?.length === 0 && <p className={styles.empty}>No versions yet. The first save creates one.</p>}
        </div>
        <div className={styles.preview}>
          {chosen !== undefined && <VersionPreview key={chosen.versionId} api={api} versionId={chosen.versionId} />}
        </div>
      </div>
      <footer className={styles.foot}>
        <p>
          {keptUntil === null
            ? 'Versions are kept for two weeks after you last opened this page.'
            : `Versions are kept for two weeks after you last opened this page (until ${dayOf(keptUntil)}).`}
          {hasUnsavedChanges && ' Restoring a version discards unsaved changes.'}
        </p>
        {chosen !== undefined && (!chosen.isCurrent || hasUnsavedChanges) && (
          <Button look="primary" onClick={() => void rollBack(chosen)}>
            Restore this version
          </Button>
        )}
      </footer>
    </Dialog>
  )
}

const fileCount = (count: number): string => (count === 1 ? '1 file' : `${count} files`)

import { X } from 'lucide-react'
import type { ReactNode } from 'react'

import type { Notice } from '../session/outcome.ts'
import type { LostFile } from '../session/session.ts'
import { IconButton } from './button.tsx'
import styles from './notices.module.css'

interface BannersProps {
  /** Files that were not restored; empty once the banner is dismissed. */
  readonly lost: readonly LostFile[]
  readonly notice: Notice
  readonly onDismissLost: () => void
  readonly onDismissNotice: () => void
}

interface Props {
  readonly label: string
  readonly tone: 'bad' | 'quiet'
  readonly onDismiss: () => void
  readonly children: ReactNode
}

/** A message that stays until it is dismissed. */
function Banner({ label, tone, onDismiss, children }: Props) {
  return (
    <section className={styles.banner} data-tone={tone} aria-label={label}>
      <div>{children}</div>
      <IconButton icon={X} label="Dismiss" onClick={onDismiss} />
    </section>
  )
}

/** The banners above the page: files that were not restored, and the current problem. */
export function Banners({ lost, notice, onDismissLost, onDismissNotice }: BannersProps) {
  return (
    <div>
      {lost.length > 0 && <LostFiles lost={lost} onDismiss={onDismissLost} />}
      <div role="alert">
        {notice.tone === 'bad' && (
          <Banner label="Problem" tone="bad" onDismiss={onDismissNotice}>
            <p>{notice.text}</p>
          </Banner>
        )}
      </div>
    </div>
  )
}

/** Lists the files that could not be fetched from the site when the session was restored. */
function LostFiles({ lost, onDismiss }: { readonly lost: readonly LostFile[]; readonly onDismiss: () => void }) {
  return (
    <Banner label="Files that could not be restored" tone="bad" onDismiss={onDismiss}>
      <p>
        This page was restored from the site, but {lost.length === 1 ? 'one file' : `${lost.length} files`} could not be
        downloaded. Add {lost.length === 1 ? 'it' : 'them'} again where the page shows a gap, or contact the site’s
        administrator.
      </p>
      <ul>
        {lost.map(({ name, url, reason }) => (
          <li key={name}>
            <strong>{name}</strong> ({url}): {reason}
          </li>
        ))}
      </ul>
    </Banner>
  )
}

interface StatusProps {
  readonly notice: Notice
  readonly isDirty: boolean
  /** Text for screen readers only. */
  readonly announcement: string
}

/** The status bar. Problems are shown in a banner instead, and a saved notice disappears with the next change. */
export function StatusBar({ notice, isDirty, announcement }: StatusProps) {
  const isHidden = notice.tone === 'bad' || (notice.tone === 'good' && isDirty)
  return (
    <>
      <p role="status" className={styles.status} data-tone={notice.tone}>
        {isHidden ? '' : notice.text}
      </p>
      <p role="status" className={styles.announcement}>
        {announcement}
      </p>
    </>
  )
}

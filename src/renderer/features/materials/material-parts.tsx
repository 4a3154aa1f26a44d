import type { MaterialRow, MaterialStatus, TextPiece } from '@galley/library/records'
import { Fragment } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { Status } from '../../ui/status.tsx'
import type { Tone } from '../../ui/status.tsx'
import styles from './materials.module.css'
import { rollbackOf } from './rollback.ts'

const tones: Readonly<Record<MaterialStatus, Tone>> = {
  unsaved: 'neutral',
  saved: 'busy',
  approved: 'success',
  changes_requested: 'danger',
}

export const isSavedSinceArchived = ({ archivedAt, savedAt }: Pick<MaterialRow, 'archivedAt' | 'savedAt'>): boolean =>
  archivedAt !== null && savedAt !== null && savedAt > archivedAt

type MaterialStateProps = Pick<MaterialRow, 'status' | 'isRefused' | 'archivedAt' | 'savedAt' | 'failedSave'>

/** A material's state; a failed save comes first, then the archive. */
export function MaterialState({ status, isRefused, archivedAt, savedAt, failedSave }: MaterialStateProps) {
  const { t } = useTranslation('materials')
  if (failedSave !== null) return <Status tone="danger" word={t('status.save_failed')} />
  if (archivedAt !== null) {
    const isNewer = isSavedSinceArchived({ archivedAt, savedAt })
    return <Status tone={isNewer ? 'warning' : 'neutral'} word={t(isNewer ? 'savedSince' : 'archived')} />
  }
  return isRefused ? (
    <Status tone="warning" word={t('refused')} />
  ) : (
    <Status tone={tones[status]} word={t(`status.${status}`)} />
  )
}

/** The text of these pieces, whose hits are marked. */
const marked = (pieces: readonly TextPiece[]): ReactNode =>
  pieces.map(({ text, isHit }, at) => (
    // Pieces have no identity but their index and never move.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={at}>{isHit ? <mark className={styles.hit}>{text}</mark> : text}</Fragment>
  ))

const textOf = (pieces: readonly TextPiece[]): string => pieces.map(({ text }) => text).join('')

/** Text with search hits marked. */
export const Pieces = ({ pieces }: { readonly pieces: readonly TextPiece[] }) => (
  <span title={textOf(pieces)}>{marked(pieces)}</span>
)

/** An excerpt around its first hit. Where there is no room, the text before the hit is cut first, from its beginning. */
export function Excerpt({ pieces }: { readonly pieces: readonly TextPiece[] }) {
  const at = pieces.findIndex(({ isHit }) => isHit)
  // An ordinary space at the end would move to the beginning, because the direction is the other one.
  const before = textOf(pieces.slice(0, at)).replace(/\s$/, '\u00a0')
  return (
    <span dir="auto" className={styles.excerpt} title={textOf(pieces)}>
      <span className={styles.before}>
        <span className={styles.words}>{before}</span>
      </span>
      <mark className={`${styles.hit} ${styles.first}`}>{pieces[at]?.text}</mark>
      <span className={styles.after}>{marked(pieces.slice(at + 1))}</span>
    </span>
  )
}

/** A material's tags; the title has those that are cut off. */
export const Tags = ({ tags }: { readonly tags: readonly string[] }) => (
  <span title={tags.join(', ')}>
    {tags.map((tag) => (
      <span key={tag} className={styles.tag}>
        {tag}
      </span>
    ))}
  </span>
)

interface RollbackProps {
  readonly session: MaterialRow['session']
  readonly nowMs: number
}

/**
 * How long the service keeps the editor history at least. A date, since the list counts days and two counts could
 * differ by one.
 */
export function RollbackLeft({ session, nowMs }: RollbackProps) {
  const { t } = useTranslation('materials')
  const formats = useFormats()
  const rollback = rollbackOf(session, nowMs)
  if (session === null) return t('rollback.never')
  if (rollback.kind !== 'kept') return t('rollback.over')
  // The column is narrow: a line must not end within the date.
  const when = formats.dayAndMinute(session.keptUntil, nowMs).replaceAll(' ', '\u00A0')
  const text = t('rollback.until', { when })
  return rollback.isEnding ? <Status tone="warning" word={text} /> : text
}

/** A short form of `RollbackLeft`, shortly before the history may expire. */
export function RollbackShort({ session, nowMs }: RollbackProps) {
  const { t } = useTranslation('materials')
  const formats = useFormats()
  const rollback = rollbackOf(session, nowMs)
  if (session === null || rollback.kind !== 'kept' || !rollback.isEnding) return null
  return (
    <span className={styles.ending} title={t('rollback.until', { when: formats.exact(session.keptUntil) })}>
      {t(`rollback.short.${rollback.unit}`, { count: rollback.count })}
    </span>
  )
}

import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { useReason } from '../../domain/callback-reason.ts'
import { titleOf } from '../../domain/material-title.ts'
import { useFormats } from '../../i18n/formats.ts'
import { useNavigation } from '../../navigation/navigation.ts'
import { Message } from '../../ui/message.tsx'
import { useNow } from '../../ui/now.ts'
import styles from './desk.module.css'
import { useInbox } from './inbox.ts'
import { useDesk } from './store.ts'

// What waits beside the pages of the inbox.

/** Materials whose last save failed; each leads to its callback. */
export function FailedSaves() {
  const { t } = useTranslation('desk')
  const reasonOf = useReason()
  const failed = useInbox((state) => state.failed)
  const go = useNavigation((state) => state.go)
  if (failed.length === 0) return <Message text={t('noneFailed')} />
  return (
    <ol className={styles.rows} aria-label={t('lists.failed', { count: failed.length })}>
      {failed.map(({ site, materialId, title, callback, at, code, facts }) => (
        <Entry
          key={callback}
          title={titleOf({ materialId, title })}
          at={at}
          onClick={() => go({ screen: 'delivery', callbackId: callback }, site)}
        >
          {reasonOf(code, facts).why}
        </Entry>
      ))}
    </ol>
  )
}

/** Pages with comments that somebody answered, or whose place may have changed; each opens on the desk. */
export function AnsweredPages() {
  const { t } = useTranslation('desk')
  const answered = useInbox((state) => state.answered)
  const open = useDesk((state) => state.open)
  if (answered.length === 0) return <Message text={t('noneAnswered')} />
  return (
    <ol className={styles.rows} aria-label={t('lists.answered', { count: answered.length })}>
      {answered.map(({ page, answered: count, older, at }) => (
        <Entry
          key={`${page.site} ${page.materialId}`}
          title={titleOf(page)}
          at={at ?? page.savedAt}
          onClick={() => open(page)}
        >
          {[
            ...(count > 0 ? [t('remarks.commentsAnswered', { count })] : []),
            ...(older > 0 ? [t('remarks.commentsOlder', { count: older })] : []),
          ].join(', ')}
        </Entry>
      ))}
    </ol>
  )
}

interface EntryProps {
  readonly title: string
  readonly at: string
  readonly onClick: () => void
  readonly children: ReactNode
}

function Entry({ title, at, onClick, children }: EntryProps) {
  const formats = useFormats()
  const nowMs = useNow()
  return (
    <li>
      <button type="button" className={styles.row} data-desk onClick={onClick}>
        <span className={styles.name}>{title}</span>
        <span className={styles.whole}>{children}</span>
        <span className={styles.meta} title={formats.exact(at)}>
          {formats.relative(at, nowMs)}
        </span>
      </button>
    </li>
  )
}

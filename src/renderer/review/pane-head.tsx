import { useTranslation } from 'react-i18next'

import { useFormats } from '../i18n/formats.ts'
import { Button } from '../ui/button.tsx'
import { useNow } from '../ui/now.ts'
import styles from './pane-head.module.css'
import type { PageView } from './store.ts'

interface Props {
  readonly page: Exclude<PageView, { readonly kind: 'none' }>
  readonly onFocus: () => void
  readonly onHealth: () => void
}

/** The facts of the version whose page lies below, and what keeps that page from being whole. */
export function PaneHead({ page, onFocus, onHealth }: Props) {
  const { t } = useTranslation('review')
  const formats = useFormats()
  const nowMs = useNow()
  const { version } = page
  const moment = version.versionCdate ?? version.receivedAt
  return (
    <>
      <div className={styles.head}>
        <code className={styles.id} title={version.versionId}>
          {version.versionId}
        </code>
        {version.current && <strong className={styles.current}>{t('current')}</strong>}
        <time dateTime={moment} title={formats.exact(moment)}>
          {formats.relative(moment, nowMs)}
        </time>
        <span className={styles.who}>{version.userEmail ?? t('unknownWho')}</span>
        <span>{formats.size(version.sizeBytes)}</span>
        <span>{t('media', { count: version.mediaCount })}</span>
        <Button look="quiet" className={styles.enter ?? ''} aria-keyshortcuts="F6" onClick={onFocus}>
          {t('enterPage')}
        </Button>
      </div>
      {page.kind === 'shown' && !page.hasImages && (
        <p className={styles.notice} role="status">
          {t('withoutImages')}
        </p>
      )}
      {page.kind === 'shown' && page.missing.length > 0 && (
        <p className={styles.notice} role="status" title={page.missing.join('\n')}>
          {t('missing', { count: page.missing.length })}
        </p>
      )}
      {page.kind === 'shown' && page.lost.length > 0 && (
        <div className={styles.notice} role="status" title={page.lost.join('\n')}>
          <p>{t('lost', { count: page.lost.length })}</p>
          <Button look="quiet" onClick={onHealth}>
            {t('openHealth')}
          </Button>
        </div>
      )}
    </>
  )
}

import { useTranslation } from 'react-i18next'

import styles from './skeleton.module.css'

/** Placeholder rows at the real height; invisible for the first 150 ms, so that quick reads never flash. */
export function Skeleton({ rows = 8, isTall = false }: { readonly rows?: number; readonly isTall?: boolean }) {
  const { t } = useTranslation('ui')
  return (
    <div
      role="status"
      aria-label={t('loading')}
      data-loading
      data-tall={isTall || undefined}
      className={styles.skeleton}
    >
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} className={styles.row} aria-hidden>
          <span style={{ width: `${34 + ((at * 17) % 28)}%` }} />
          <span style={{ width: '12%' }} />
          <span style={{ width: '16%' }} />
        </div>
      ))}
    </div>
  )
}

import type { LeftOutFindings } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { ForDevelopers } from '../ui/for-developers.ts'
import { Lines } from '../ui/lines.tsx'
import { Status } from '../ui/status.tsx'
import type { Tone } from '../ui/status.tsx'
import words from '../ui/words.module.css'
import { titleOf } from './material-title.ts'
import styles from './plan.module.css'

const tones: Readonly<Record<'approved' | 'changes_requested' | 'none', Tone>> = {
  approved: 'success',
  changes_requested: 'danger',
  none: 'neutral',
}

/** A person's decision about a version, or that there is none. */
export function VerdictStatus({ verdict }: { readonly verdict: 'approved' | 'changes_requested' | null }) {
  const { t } = useTranslation('exports')
  const kind = verdict ?? 'none'
  return <Status tone={tones[kind]} word={t(`verdicts.${kind}`)} />
}

/** Current versions that are left out, each with the reason and the version that is included instead. */
export function LeftOutList({ leftOut: { count, list } }: { readonly leftOut: LeftOutFindings }) {
  const { t } = useTranslation('exports')
  if (count === 0) return null
  return (
    <section aria-label={t('leftOut.title')}>
      <Status tone="warning" word={t('leftOut.count', { count })} />
      <Lines>
        {list.map(({ materialId, title, versionId, reason, insteadVersionId }) => (
          <li key={materialId}>
            <div>
              {titleOf({ materialId, title })}
              <span className={styles.pageTitle}>{t(`leftOut.reasons.${reason}`)}</span>
            </div>
            <ForDevelopers>
              <div className={words.code}>{versionId}</div>
            </ForDevelopers>
            <div className={words.meta}>{t(insteadVersionId === null ? 'leftOut.nothing' : 'leftOut.instead')}</div>
          </li>
        ))}
      </Lines>
      {list.length < count && <p className={words.meta}>{t('plan.more', { count: count - list.length })}</p>}
    </section>
  )
}

import type { ReplayComparison, ReplayEnd } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { useReason } from '../../domain/callback-reason.ts'
import { ForDevelopers } from '../../ui/for-developers.ts'
import words from '../../ui/words.module.css'
import styles from './callback-parts.module.css'
import { OutcomeStatus } from './outcome.tsx'

/**
 * Whether both outcomes are equivalent: replaying a stored callback yields a duplicate, since its content already
 * exists.
 */
export const hasSameOutcome = ({ before, after }: ReplayComparison): boolean => {
  const isGood = (end: ReplayEnd): boolean => end.outcome === 'stored' || end.outcome === 'duplicate'
  return isGood(before) && isGood(after)
    ? before.versionId === after.versionId
    : before.outcome === after.outcome && before.code === after.code
}

/** The old and new outcome of one callback, side by side. */
export function Comparison({ comparison }: { readonly comparison: ReplayComparison }) {
  const { t } = useTranslation('replay')
  const { before, after, isDryRun } = comparison
  const verdict = (): string => {
    if (!hasSameOutcome(comparison)) return t(isDryRun ? 'differs' : 'differsReal')
    if (before.outcome === after.outcome) return t(isDryRun ? 'same' : 'sameReal')
    return t(isDryRun ? 'stored' : 'storedReal')
  }
  return (
    <section aria-label={t('results')}>
      <p role="status" className={styles.heading}>
        {verdict()}
      </p>
      <div className={styles.beside}>
        <End title={t('before')} end={before} />
        <End title={isDryRun ? t('afterDry') : t('afterReal')} end={after} />
      </div>
    </section>
  )
}

function End({ title, end }: { readonly title: string; readonly end: ReplayEnd }) {
  const { t, i18n } = useTranslation('replay')
  const reason = useReason()
  // Main's own message is the most precise but in English; a replay has no facts to word it as precisely in other
  // languages.
  const text = end.code === null || i18n.language === 'en' ? end.rm : reason(end.code, {}).why
  return (
    <div className={styles.end}>
      <h4 className={words.meta}>{title}</h4>
      <OutcomeStatus outcome={end.outcome} />
      <p>{text}</p>
      <ForDevelopers>
        {end.code !== null && <p className={words.code}>{end.code}</p>}
        {end.versionId !== null && <p className={words.code}>{end.versionId}</p>}
      </ForDevelopers>
      {end.versionId === null && <p className={words.meta}>{t('noVersion')}</p>}
    </div>
  )
}

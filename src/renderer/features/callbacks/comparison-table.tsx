import type { ReplayComparison, ReplayEnd } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { ForDevelopers } from '../../ui/for-developers.ts'
import words from '../../ui/words.module.css'
import styles from './callback-parts.module.css'
import { hasSameOutcome } from './comparison.tsx'
import { OutcomeStatus } from './outcome.tsx'
import { useCallbackRows } from './store.ts'

interface Props {
  readonly comparisons: readonly ReplayComparison[]
  readonly isDryRun: boolean
}

/** More lines than this are not compared one by one. */
const shownLines = 200

/** Old and new outcomes of several callbacks; different outcomes come first. */
export function ComparisonTable({ comparisons, isDryRun }: Props) {
  const rows = useCallbackRows((state) => state.rows)
  /** The material or event of a callback, if its row is loaded. */
  const nameOf = (id: string): string | null => {
    const row = [...rows.values()].find((other) => other.id === id)
    return row === undefined ? null : row.materialTitle || row.materialId
  }
  const { t } = useTranslation('replay')
  const differing = comparisons.filter((comparison) => !hasSameOutcome(comparison))
  const shown = [...differing, ...comparisons.filter(hasSameOutcome)].slice(0, shownLines)
  return (
    <>
      <p role="status">{t('summary', { count: differing.length })}</p>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div role="region" aria-label={t('results')} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('callback')}</th>
              <th scope="col">{t('before')}</th>
              <th scope="col">{isDryRun ? t('afterDry') : t('afterReal')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((comparison) => (
              <tr key={comparison.id} data-differs={!hasSameOutcome(comparison) || undefined}>
                <th scope="row">
                  <span>{nameOf(comparison.id) ?? t('callback')}</span>
                  <ForDevelopers>
                    <span className={words.code}>{comparison.id}</span>
                  </ForDevelopers>
                </th>
                <td>
                  <End end={comparison.before} />
                </td>
                <td>
                  <End end={comparison.after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {comparisons.length > shown.length && (
        <p className={words.meta}>{t('capped', { shown: shown.length, total: comparisons.length })}</p>
      )}
    </>
  )
}

const End = ({ end }: { readonly end: ReplayEnd }) => (
  <>
    <OutcomeStatus outcome={end.outcome} />
    <ForDevelopers>
      <span className={words.code}>{end.code ?? end.versionId}</span>
    </ForDevelopers>
  </>
)

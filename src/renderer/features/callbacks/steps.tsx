import type { CallbackDetail } from '@galley/library/records'
import type { Step } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import type { callback } from '../../../texts/en/callback.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Titled } from '../../ui/titled.tsx'
import words from '../../ui/words.module.css'
import styles from './steps.module.css'

type KnownStep = keyof (typeof callback)['stepNames']

/** The steps with their times, and their share of the service's timeout. */
export function Steps({ detail }: { readonly detail: CallbackDetail }) {
  const { t } = useTranslation('callback')
  const { steps } = detail.callback
  return (
    <Titled title={t('steps')}>
      {steps.length === 0 ? <p className={words.meta}>{t('noSteps')}</p> : <StepList detail={detail} />}
      <Budget detail={detail} />
    </Titled>
  )
}

/** A bar's start and length in percent of the axis. */
interface Bar extends Step {
  readonly startPercent: number
  readonly widthPercent: number
  readonly isSlowest: boolean
}

interface Waterfall {
  readonly bars: readonly Bar[]
  /** The end of the time budget in percent of the axis; null while out of range. */
  readonly budgetPercent: number | null
}

/**
 * From this share of the budget on, the axis includes its end; including it sooner would leave a 6 ms save without
 * visible bars.
 */
const budgetVisibleShare = 0.25

/** Unaccounted time is shown if it is at least this share of the total and at least a millisecond. */
const unaccountedShare = 0.05

/** Adds the time that no step accounts for as a separate step, so that the steps sum up to the total. */
export function withUnaccounted(steps: readonly Step[], totalMs: number): readonly Step[] {
  const restMs = totalMs - steps.reduce((sum, { ms }) => sum + ms, 0)
  return steps.length > 0 && restMs >= Math.max(1, totalMs * unaccountedShare)
    ? [...steps, { name: 'other', ms: restMs }]
    : steps
}

/** Lays out consecutive steps as bars; marks the slowest if it stands out. */
export function waterfall(steps: readonly Step[], budgetMs: number): Waterfall {
  const wholeMs = steps.reduce((sum, { ms }) => sum + ms, 0)
  const isBudgetShown = wholeMs >= budgetMs * budgetVisibleShare
  const axisMs = isBudgetShown ? Math.max(wholeMs, budgetMs) : wholeMs
  const percentOf = (ms: number): number => (axisMs === 0 ? 0 : (ms / axisMs) * 100)
  const slowestMs = Math.max(...steps.map(({ ms }) => ms), 0)
  let elapsedMs = 0
  const bars = steps.map((step): Bar => {
    const startPercent = percentOf(elapsedMs)
    elapsedMs += step.ms
    const isSlowest = steps.length > 1 && step.ms === slowestMs && step.ms > 0
    return { ...step, startPercent, widthPercent: percentOf(step.ms), isSlowest }
  })
  return { bars, budgetPercent: isBudgetShown ? percentOf(budgetMs) : null }
}

/** The steps as bars, with a text alternative: the slowest step, or where processing ended. */
function StepList({ detail }: { readonly detail: CallbackDetail }) {
  const { t, i18n } = useTranslation('callback')
  const formats = useFormats()
  const { steps, rc } = detail.callback
  const { bars, budgetPercent } = waterfall(withUnaccounted(steps, detail.totalMs), detail.budgetMs)
  // Older libraries have steps with names no longer in use.
  const wordOf = ({ name }: Step): string =>
    i18n.exists(`callback:stepNames.${name}`) ? t(`stepNames.${name as KnownStep}`) : name
  const slowest = bars.find(({ isSlowest }) => isSlowest)
  const last = rc === 1 ? undefined : bars[steps.length - 1]
  const lookOf = (bar: Bar): string | undefined => {
    if (bar === last) return detail.row.code === 'refused' ? styles.refused : styles.ended
    return bar.isSlowest ? styles.slowest : styles.bar
  }
  return (
    <>
      <ol>
        {bars.map((bar, at) => (
          // The order is fixed, and names repeat.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at} className={styles.step}>
            <span className={styles.name} title={wordOf(bar)}>
              {wordOf(bar)}
            </span>
            <span className={styles.track} aria-hidden>
              <span
                className={lookOf(bar)}
                style={{ insetInlineStart: `${bar.startPercent}%`, width: `${bar.widthPercent}%` }}
              />
              {budgetPercent !== null && (
                <span className={styles.limit} style={{ insetInlineStart: `${budgetPercent}%` }} />
              )}
            </span>
            <span className={styles.ms}>{formats.duration(bar.ms)}</span>
          </li>
        ))}
      </ol>
      <p className={styles.summary}>
        {last !== undefined && t('endedAt', { step: wordOf(last) })}
        {last === undefined &&
          slowest !== undefined &&
          t('slowest', { step: wordOf(slowest), time: formats.duration(slowest.ms) })}{' '}
        {budgetPercent !== null && t('budgetMark')}
      </p>
    </>
  )
}

/** At this share of the budget, the service is close to giving up on a save. */
const tightShare = 0.5

function Budget({ detail: { totalMs, budgetMs } }: { readonly detail: CallbackDetail }) {
  const { t } = useTranslation('callback')
  const formats = useFormats()
  const share = Math.min(1, totalMs / budgetMs)
  const figures = { time: formats.duration(totalMs), budget: formats.duration(budgetMs), share: formats.percent(share) }
  return (
    <div className={styles.budget}>
      <div className={styles.line}>
        <span>{t('budgetLabel')}</span>
        <span className={styles.ms}>{t('budget', figures)}</span>
      </div>
      <div
        role="meter"
        aria-label={t('budgetLabel')}
        aria-valuemin={0}
        aria-valuemax={budgetMs}
        aria-valuenow={Math.min(budgetMs, Math.round(totalMs))}
        aria-valuetext={t('budget', figures)}
        className={styles.track}
      >
        <span className={share >= tightShare ? styles.tight : styles.bar} style={{ width: `${share * 100}%` }} />
      </div>
      <p className={words.meta}>{t('budgetText', figures)}</p>
    </div>
  )
}

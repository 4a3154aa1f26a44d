import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { useNow } from '../../ui/now.ts'
import { Sparkline } from '../../ui/sparkline.tsx'
import { firstHourMs, useActivity } from './activity-store.ts'
import styles from './callback-log.module.css'

const hourMs = 3_600_000

/** Callbacks of the last 24 hours as a chart with a text alternative. */
export function ActivityChart() {
  const { t } = useTranslation('callbacks')
  const formats = useFormats()
  const { hours, sinceMs, load } = useActivity()
  const nowMs = useNow()
  // The chart also advances every hour without new callbacks.
  useEffect(() => {
    if (firstHourMs(nowMs) !== sinceMs) void load()
  }, [nowMs, sinceMs, load])
  if (hours === null) return null
  const clock = (at: number): string => formats.hourAndMinute(new Date(sinceMs + at * hourMs).toISOString())
  const times = (at: number) => ({ from: clock(at), to: clock(at + 1) })
  const countText = (total: number, notStored: number): string =>
    notStored === 0
      ? t('activity.came', { count: total })
      : `${t('activity.came', { count: total })} ${t('activity.notStored', { count: notStored })}`
  const total = hours.reduce((sum, one) => sum + one.total, 0)
  const notStored = hours.reduce((sum, one) => sum + one.notStored, 0)
  const busiest = hours.reduce((best, one, at) => (one.total > (hours[best]?.total ?? 0) ? at : best), 0)
  const label = [
    t('activity.title'),
    countText(total, notStored),
    ...(total === 0 ? [] : [t('activity.most', { ...times(busiest), count: hours[busiest]?.total ?? 0 })]),
  ].join(' ')
  return (
    <span className={styles.activity}>
      <Sparkline
        label={label}
        bars={hours.map((one, at) => ({
          key: `${sinceMs + at * hourMs}`,
          value: one.total,
          marked: one.notStored,
          hint: `${t('activity.hour', times(at))} ${countText(one.total, one.notStored)}`,
        }))}
      />
      <span aria-hidden>{t('activity.short')}</span>
    </span>
  )
}

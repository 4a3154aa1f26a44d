import { exactTime, relativeTime, shortMoment } from './format.ts'
import styles from './time.module.css'

interface Props {
  readonly iso: string
  readonly nowMs: number
  readonly locale: string
}

/** A moment told relatively; pointing at it, or focusing its row, shows the exact time in the same place. */
export function Time({ iso, nowMs, locale }: Props) {
  return (
    <time className={styles.time} dateTime={iso} title={exactTime(iso, locale)}>
      <span className={styles.relative}>{relativeTime(iso, nowMs, locale)}</span>
      <span className={styles.exact}>{shortMoment(iso, nowMs, locale)}</span>
    </time>
  )
}

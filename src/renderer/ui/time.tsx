import { useFormats } from '../i18n/formats.ts'
import styles from './time.module.css'

interface Props {
  readonly iso: string
  readonly nowMs: number
}

/** A relative time; hovering over it, or activating its row, shows the exact time instead. */
export function Time({ iso, nowMs }: Props) {
  const formats = useFormats()
  return (
    <time className={styles.time} dateTime={iso} title={formats.exact(iso)}>
      <span className={styles.relative}>{formats.relative(iso, nowMs)}</span>
      <span className={styles.exact}>{formats.short(iso, nowMs)}</span>
    </time>
  )
}

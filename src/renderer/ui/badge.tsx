import styles from './badge.module.css'

interface Props {
  readonly word: string
  readonly tone?: 'success' | 'accent' | 'danger' | 'filled' | 'outlined'
}

/** A one-word label on a row. */
export function Badge({ word, tone = 'success' }: Props) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {word}
    </span>
  )
}

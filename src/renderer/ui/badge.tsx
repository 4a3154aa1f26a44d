import styles from './badge.module.css'

interface Props {
  readonly word: string
  readonly tone?: 'success' | 'accent' | 'danger' | 'filled' | 'outlined'
}

/** A word that marks one row among its like. */
export function Badge({ word, tone = 'success' }: Props) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {word}
    </span>
  )
}

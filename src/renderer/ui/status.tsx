import styles from './status.module.css'

export type Tone = 'neutral' | 'success' | 'warning' | 'danger' | 'busy'

interface Props {
  readonly tone: Tone
  readonly word: string
}

/** A coloured dot with a label; colour never stands alone. */
export function Status({ tone, word }: Props) {
  return (
    <span className={`${styles.status} ${styles[tone]}`}>
      <span className={styles.dot} aria-hidden />
      <span className={styles.word} title={word}>
        {word}
      </span>
    </span>
  )
}

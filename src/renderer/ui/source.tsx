import styles from './source.module.css'

interface Props {
  readonly label: string
  readonly text: string
}

/** Stored text as it is, to be read and copied; it is text to React, so nothing in it can run. */
export function Source({ label, text }: Props) {
  return (
    <pre className={styles.source} aria-label={label}>
      {text}
    </pre>
  )
}

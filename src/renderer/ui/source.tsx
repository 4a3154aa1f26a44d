import styles from './source.module.css'

interface Props {
  readonly label: string
  readonly text: string
}

/** Stored text, read-only. React renders it as text, so nothing in it can run. */
export function Source({ label, text }: Props) {
  return (
    <pre className={styles.source} aria-label={label}>
      {text}
    </pre>
  )
}

import styles from './source.module.css'

interface Props {
  readonly label: string
  readonly text: string
  /** Where nothing else leads the keyboard to what scrolls it. */
  readonly isTabStop?: boolean
}

/** Stored text, read-only. React renders it as text, so nothing in it can run. */
export function Source({ label, text, isTabStop = false }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className={styles.source} aria-label={label} tabIndex={isTabStop ? 0 : undefined}>
      {text}
    </pre>
  )
}

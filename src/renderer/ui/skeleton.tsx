import styles from './skeleton.module.css'

interface Props {
  readonly label: string
  readonly rows?: number
}

/** Rows of the real height in place of a list; nothing shows for the first 150 ms, so quick reads never flash. */
export function Skeleton({ label, rows = 8 }: Props) {
  return (
    <div role="status" aria-label={label} className={styles.skeleton}>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} className={styles.row} aria-hidden>
          <span style={{ width: `${34 + ((at * 17) % 28)}%` }} />
          <span style={{ width: '12%' }} />
          <span style={{ width: '16%' }} />
        </div>
      ))}
    </div>
  )
}

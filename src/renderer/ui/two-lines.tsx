import type { ReactNode } from 'react'

import styles from './two-lines.module.css'

interface Props {
  readonly first: ReactNode
  readonly second: ReactNode
}

/** A cell of two lines: what it is, and below it, quieter, what goes with it. */
export function TwoLines({ first, second }: Props) {
  return (
    <>
      <div className={styles.line}>{first}</div>
      <div className={`${styles.line} ${styles.second}`}>{second}</div>
    </>
  )
}

import type { ReactNode } from 'react'

import styles from './lines.module.css'

interface Props {
  readonly label?: string
  readonly children: ReactNode
}

/** A short list with dividers. */
export const Lines = ({ label, children }: Props) => (
  <ul aria-label={label} className={styles.lines}>
    {children}
  </ul>
)

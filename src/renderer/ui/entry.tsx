import type { ReactNode } from 'react'

import styles from './entry.module.css'

interface Props {
  readonly label?: string
  /** One line of words instead of two. */
  readonly isLow?: boolean
  readonly children: ReactNode
}

/** An item of a list that can be changed: what it is, then what may be done about it. */
export const Entry = ({ label, isLow = false, children }: Props) => (
  <li aria-label={label} className={isLow ? `${styles.entry} ${styles.low}` : styles.entry}>
    {children}
  </li>
)

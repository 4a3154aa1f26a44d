import type { ReactNode } from 'react'

import styles from './entry.module.css'

interface Props {
  readonly label?: string
  /** One line of text instead of two. */
  readonly isLow?: boolean
  readonly children: ReactNode
}

/** An editable list item: its content, then its actions. */
export const Entry = ({ label, isLow = false, children }: Props) => (
  <li aria-label={label} className={isLow ? `${styles.entry} ${styles.low}` : styles.entry}>
    {children}
  </li>
)

import type { ReactNode } from 'react'

import styles from './strip.module.css'

interface Props {
  readonly label: string
  /** The number of selected items, for a selection bar. */
  readonly selected?: string
  readonly children: ReactNode
  /** Content at the far end. */
  readonly end: ReactNode
}

/** The bar above a list: its filters, or the actions for its selection. */
export const Strip = ({ label, selected, children, end }: Props) => (
  <div
    role="group"
    aria-label={label}
    className={selected === undefined ? styles.strip : `${styles.strip} ${styles.selection}`}
  >
    {selected !== undefined && (
      <span className={styles.selected} role="status">
        {selected}
      </span>
    )}
    {children}
    <span className={styles.gap} />
    {end}
  </div>
)

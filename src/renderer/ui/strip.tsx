import type { ReactNode } from 'react'

import styles from './strip.module.css'

interface Props {
  readonly label: string
  /** How much of the list is selected, where the strip is about that. */
  readonly selected?: string
  readonly children: ReactNode
  /** At the other end of it. */
  readonly end: ReactNode
}

/** The strip above a list: what narrows it, or what can be done with what is selected in it. */
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

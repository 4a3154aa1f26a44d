import type { ReactNode } from 'react'

import styles from './first-run.module.css'

/** Where the outcome of a test appears; there from the start, so that it is read out when it comes. */
export const Outcome = ({ children }: { readonly children: ReactNode }) => (
  <div role="status" className={styles.outcome}>
    {children}
  </div>
)

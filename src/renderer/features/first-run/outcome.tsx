import type { ReactNode } from 'react'

import styles from './first-run.module.css'

/** A live region for test results; always rendered, so that they are announced. */
export const Outcome = ({ children }: { readonly children: ReactNode }) => (
  <div role="status" className={styles.outcome}>
    {children}
  </div>
)

import type { ReactNode } from 'react'

import styles from './versions.module.css'

interface Props {
  readonly list: ReactNode
  readonly children: ReactNode
}

/** The versions of the selected material above, the chosen one below. */
export const VersionsAbove = ({ list, children }: Props) => (
  <div className={styles.inspector}>
    <div className={styles.list}>{list}</div>
    {children}
  </div>
)

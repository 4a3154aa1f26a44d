import type { ReactNode } from 'react'

import styles from './titled.module.css'

interface Props {
  readonly title: string
  readonly label?: string
  readonly children: ReactNode
}

/** A section of a pane with a heading; `label` names its region. */
export const Titled = ({ title, label, children }: Props) => (
  <section aria-label={label}>
    <h3 className={styles.heading}>{title}</h3>
    {children}
  </section>
)

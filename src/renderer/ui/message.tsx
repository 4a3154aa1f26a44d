import type { ReactNode } from 'react'

import styles from './message.module.css'

interface Props {
  readonly title?: string
  readonly text: string
  /** Failures are announced at once; an empty list is not news. */
  readonly isFailure?: boolean
  readonly children?: ReactNode
}

/** What stands in a pane that has no list: one sentence and one action. */
export function Message({ title, text, isFailure = false, children }: Props) {
  return (
    <div className={styles.message} role={isFailure ? 'alert' : undefined}>
      {title !== undefined && <p className={styles.title}>{title}</p>}
      <p className={styles.text}>{text}</p>
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  )
}

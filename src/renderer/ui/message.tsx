import type { ReactNode } from 'react'

import styles from './message.module.css'

interface Props {
  readonly title?: string
  readonly text: string
  /** A failure is announced at once, an empty list is not. */
  readonly isFailure?: boolean
  readonly children?: ReactNode
}

/** The content of a pane without a list: a sentence and an action. */
export function Message({ title, text, isFailure = false, children }: Props) {
  return (
    <div className={styles.message} role={isFailure ? 'alert' : undefined}>
      {title !== undefined && <p className={styles.title}>{title}</p>}
      <p className={styles.text}>{text}</p>
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  )
}

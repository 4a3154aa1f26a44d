import { CircleAlert, Info } from 'lucide-react'
import type { ReactNode } from 'react'

import styles from './banner.module.css'

interface Props {
  readonly tone: 'danger' | 'warning' | 'info'
  readonly text: string
  readonly children?: ReactNode
}

/** A strip that reports a state or result in place, with its actions. */
export function Banner({ tone, text, children }: Props) {
  const Icon = tone === 'info' ? Info : CircleAlert
  return (
    <div className={`${styles.banner} ${styles[tone]}`} role={tone === 'danger' ? 'alert' : 'status'}>
      <Icon size={16} aria-hidden className={styles.icon} />
      <p className={styles.text}>{text}</p>
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  )
}

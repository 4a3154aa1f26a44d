import type { ReactNode } from 'react'
import { CircleAlert, Info } from 'lucide-react'

import styles from './banner.module.css'

interface Props {
  readonly tone: 'danger' | 'warning' | 'info'
  readonly text: string
  readonly children?: ReactNode
}

/** A strip that tells of a state or an outcome where it matters, with at most one action beside it. */
export function Banner({ tone, text, children }: Props) {
  const Icon = tone === 'info' ? Info : CircleAlert
  return (
    <div className={`${styles.banner} ${styles[tone]}`} role={tone === 'danger' ? 'alert' : 'status'}>
      <Icon size={16} aria-hidden className={styles.icon} />
      <p className={styles.text}>{text}</p>
      {children}
    </div>
  )
}

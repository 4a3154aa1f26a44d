import { X } from 'lucide-react'
import type { ReactNode } from 'react'

import styles from './banner.module.css'
import { IconButton } from './button.tsx'

interface Props {
  readonly label: string
  readonly tone: 'bad' | 'quiet'
  readonly onDismiss: () => void
  readonly children: ReactNode
}

/** A message that stays until it is dismissed. */
export function Banner({ label, tone, onDismiss, children }: Props) {
  return (
    <section className={styles.banner} data-tone={tone} aria-label={label}>
      <div>{children}</div>
      <IconButton icon={X} label="Dismiss" onClick={onDismiss} />
    </section>
  )
}

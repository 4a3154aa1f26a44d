import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes } from 'react'

import styles from './bar-button.module.css'
import type { Tone } from './status.tsx'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: LucideIcon
  readonly tone: Tone
}

/** A button in the status bar. */
export const BarButton = ({ icon: Icon, tone, children, ...rest }: Props) => (
  <button type="button" className={styles.button} data-tone={tone} {...rest}>
    <Icon size={12} aria-hidden />
    {children}
  </button>
)

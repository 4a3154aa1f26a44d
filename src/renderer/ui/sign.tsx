import { CloudUpload } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

import styles from './sign.module.css'

interface Props {
  readonly icon: LucideIcon
  readonly label: string
  readonly isWarning?: boolean
}

/** A small icon on a row; its label is the tooltip. */
export const Sign = ({ icon: Icon, label, isWarning }: Props) => (
  <span className={styles.sign} data-warning={isWarning || undefined} role="img" aria-label={label} title={label}>
    <Icon size={13} aria-hidden />
  </span>
)

/** The sign of what waits to be sent. */
export const WaitingSign = ({ label }: Pick<Props, 'label'>) => <Sign icon={CloudUpload} label={label} />

/** A text that may be cut, and a sign behind it that may not. */
export const Signed = ({ sign, children }: { readonly sign: ReactNode; readonly children: ReactNode }) => (
  <span className={styles.signed}>
    <span className={styles.text} title={typeof children === 'string' ? children : undefined}>
      {children}
    </span>
    {sign}
  </span>
)

/** A value that waits to be sent, as a line of text. */
export const WaitingLine = ({ text }: { readonly text: string }) => (
  <p className={styles.line}>
    <CloudUpload size={14} aria-hidden />
    {text}
  </p>
)

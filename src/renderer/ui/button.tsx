import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, Ref } from 'react'

import styles from './button.module.css'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` is the main action of a view; `quiet` is frameless, for toolbars. */
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger'
  readonly icon?: LucideIcon
  /** Shows only the icon; the text becomes name and tooltip. */
  readonly isIconOnly?: boolean
  /** For a frameless button at the start of a line: its text or icon is aligned with the column. */
  readonly isFlush?: boolean
  /** A shortcut that is shown at the end. */
  readonly keys?: string | undefined
  readonly children: string
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button(props: Props) {
  const { look = 'plain', icon: Icon, isIconOnly = false, isFlush = false, keys, children, className, ...rest } = props
  const classes = [styles.button, styles[look], isIconOnly ? styles.square : '', isFlush ? styles.flush : '', className]
    .filter(Boolean)
    .join(' ')
  return (
    <button
      type="button"
      className={classes}
      {...(isIconOnly ? { 'aria-label': children, title: children } : {})}
      {...rest}
    >
      {Icon && <Icon size={14} strokeWidth={2} aria-hidden />}
      {!isIconOnly && <span>{children}</span>}
      {keys !== undefined && (
        <kbd className={styles.keys} aria-hidden>
          {keys}
        </kbd>
      )}
    </button>
  )
}

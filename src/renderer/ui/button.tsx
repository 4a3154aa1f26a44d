import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, Ref } from 'react'

import styles from './button.module.css'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` is the one action of its place; `quiet` stands in bars and has no frame. */
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger'
  readonly icon?: LucideIcon
  /** Shows the icon alone; the text stays as name and tooltip. */
  readonly isIconOnly?: boolean
  readonly children: string
  readonly ref?: Ref<HTMLButtonElement>
}

/** A button of 28 px with an optional icon. */
export function Button({ look = 'plain', icon: Icon, isIconOnly = false, children, className, ...rest }: Props) {
  const classes = [styles.button, styles[look], isIconOnly ? styles.square : '', className].filter(Boolean).join(' ')
  return (
    <button
      type="button"
      className={classes}
      {...(isIconOnly ? { 'aria-label': children, title: children } : {})}
      {...rest}
    >
      {Icon && <Icon size={14} strokeWidth={2} aria-hidden />}
      {!isIconOnly && <span>{children}</span>}
    </button>
  )
}

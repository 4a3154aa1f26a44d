import type { ReactNode } from 'react'

import styles from './entry.module.css'
import type { MenuItem } from './menu.tsx'
import { useRowMenu } from './row-menu.tsx'

interface Props {
  readonly label?: string
  /** One line of text instead of two. */
  readonly isLow?: boolean
  /** Its actions, which its buttons offer as well. */
  readonly actions?: readonly MenuItem[]
  readonly children: ReactNode
}

const none: readonly MenuItem[] = []

/** An editable list item: its content, then its actions. */
export function Entry({ label, isLow = false, actions = none, children }: Props) {
  const { row, menu } = useRowMenu(actions)
  return (
    <li aria-label={label} className={isLow ? `${styles.entry} ${styles.low}` : styles.entry} {...row}>
      {children}
      {menu}
    </li>
  )
}

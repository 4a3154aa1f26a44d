import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'

import styles from './tooltip.module.css'

interface Props {
  readonly text: string
  /** The control's shortcut, such as `Ctrl+B`. */
  readonly keys?: string | undefined
  readonly side?: 'top' | 'bottom' | 'left' | 'right'
  /** The control, which has an accessible name of its own. */
  readonly children: ReactElement
}

/** Shows a control's name and shortcut on hover or focus. */
export function Tooltip({ text, keys, side = 'bottom', children }: Props) {
  return (
    <Base.Root>
      {/* Icon-only buttons also have a `title`, which the system would show as a second tooltip. */}
      <Base.Trigger render={children} title={undefined} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className={styles.positioner}>
          <Base.Popup className={styles.popup}>
            {text}
            {keys !== undefined && <kbd className={styles.keys}>{keys}</kbd>}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

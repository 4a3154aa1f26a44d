import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'

import styles from './tooltip.module.css'

interface Props {
  readonly text: string
  /** The key that does the same, as `Ctrl+B`. */
  readonly keys?: string | undefined
  readonly side?: 'top' | 'bottom' | 'left' | 'right'
  /** What it belongs to; it has a name of its own, which the tooltip only shows. */
  readonly children: ReactElement
}

/** Shows the name and the key of a control when it is pointed at or focused. */
export function Tooltip({ text, keys, side = 'bottom', children }: Props) {
  return (
    <Base.Root>
      {/* A button of an icon alone has its name as `title` too: the system would show it a second time. */}
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

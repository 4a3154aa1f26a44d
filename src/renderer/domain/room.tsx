import { useLayoutEffect, useRef } from 'react'

import type { PreviewArea } from '../../ipc/preview-view.ts'
import { followFreeArea } from './free-area.ts'
import styles from './room.module.css'

interface Props {
  readonly label: string
  readonly isBusy?: boolean
  /** Takes the area where the native view may be; null hides it. The same function each time. */
  readonly onPlace: (area: PreviewArea | null) => void
  /** Gives the focus to the native view. */
  readonly onEnter: () => void
}

/** Leaves room for a native view above the page of the window. */
export function Room({ label, isBusy = false, onPlace, onEnter }: Props) {
  const room = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => (room.current === null ? undefined : followFreeArea(room.current, onPlace)), [onPlace])
  return (
    <button ref={room} type="button" className={styles.room} aria-label={label} aria-busy={isBusy} onClick={onEnter} />
  )
}

import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useId, useLayoutEffect, useRef } from 'react'

import { IconButton } from './button.tsx'
import styles from './dialog.module.css'

interface Props {
  readonly title: string
  readonly size?: 'small' | 'large'
  /** Also called for Escape; the owner then removes the dialog. */
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A modal dialog. The browser keeps the focus inside and returns it when the dialog closes. */
export function Dialog({ title, size = 'small', onClose, children }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    // Closed before it is removed, since only closing returns the focus.
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={element}
      className={`${styles.dialog} ${styles[size]}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <header className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        <IconButton icon={X} label="Close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  )
}

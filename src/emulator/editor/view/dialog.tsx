import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useId, useLayoutEffect, useRef } from 'react'

import { IconButton } from './button.tsx'
import styles from './dialog.module.css'

interface Props {
  readonly title: string
  readonly size?: 'small' | 'large'
  /** Called for Escape as well; the owner then takes the dialog out of the page. */
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A modal dialog: the browser holds the focus inside and gives it back to where it came from. */
export function Dialog({ title, size = 'small', onClose, children }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    // Closed before it leaves the page, since only a closing dialog gives the focus back.
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

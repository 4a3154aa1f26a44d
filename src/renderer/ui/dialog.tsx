import type { ReactNode } from 'react'
import { useId, useLayoutEffect, useRef } from 'react'

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
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      {children}
    </dialog>
  )
}

/** The form of a dialog: fields that scroll, and a row of actions that stays in view. */
export function DialogForm(props: {
  readonly onSubmit: () => void
  readonly actions: ReactNode
  readonly children: ReactNode
}) {
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        props.onSubmit()
      }}
    >
      <div className={styles.body}>{props.children}</div>
      <div className={styles.actions}>{props.actions}</div>
    </form>
  )
}

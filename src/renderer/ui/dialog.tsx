import { Dialog as Base } from '@base-ui/react/dialog'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'

import styles from './dialog.module.css'

interface Props {
  readonly title: string
  readonly size?: 'small' | 'large' | 'wide'
  /** Where the focus starts; else on the first thing that takes it. */
  readonly initialFocus?: RefObject<HTMLElement | null>
  /** Called for Escape as well; the owner then takes the dialog out of the page. */
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A modal dialog: it holds the focus inside and gives it back to where it came from. */
export function Dialog({ title, size = 'small', initialFocus, onClose, children }: Props) {
  const [popup, setPopup] = useState<HTMLElement | null>(null)
  useKeptFocus(popup, initialFocus)
  return (
    <Base.Root
      open
      disablePointerDismissal
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          ref={setPopup}
          tabIndex={-1}
          className={`${styles.dialog} ${styles[size]}`}
          initialFocus={initialFocus}
        >
          <Base.Title className={styles.title}>{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** What holds the focus may go while its dialog stays, as a button whose work is done: the focus then starts again. */
function useKeptFocus(popup: HTMLElement | null, initialFocus: Props['initialFocus']): void {
  const start = useRef(initialFocus)
  useLayoutEffect(() => {
    start.current = initialFocus
  }, [initialFocus])
  useEffect(() => {
    if (popup === null) return
    const keep = (): void => {
      if (document.activeElement === document.body) (start.current?.current ?? popup).focus()
    }
    const changes = new MutationObserver(keep)
    changes.observe(popup, { childList: true, subtree: true })
    return () => changes.disconnect()
  }, [popup])
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

/** The body of a dialog that has nothing to send; its actions, where it has any, stay in view. */
export const DialogBody = ({ actions, children }: { readonly actions?: ReactNode; readonly children: ReactNode }) => (
  <>
    <div className={styles.body}>{children}</div>
    {actions !== undefined && <div className={styles.actions}>{actions}</div>}
  </>
)

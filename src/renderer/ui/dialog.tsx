import { Dialog as Base } from '@base-ui/react/dialog'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from './button.tsx'
import styles from './dialog.module.css'

interface Props {
  readonly title: string
  readonly size?: 'small' | 'large' | 'wide' | 'full'
  /** Initial focus; by default the first focusable element. */
  readonly initialFocus?: RefObject<HTMLElement | null> | undefined
  /** Whether the focus goes back to what had it last, or to the first control in that; otherwise the owner moves it. */
  readonly returnsFocus?: boolean
  /** Also called for Escape; the owner then unmounts the dialog. */
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A modal dialog that traps the focus and restores it on close. */
export function Dialog({ title, size = 'small', initialFocus, returnsFocus = true, onClose, children }: Props) {
  const [popup, setPopup] = useState<HTMLElement | null>(null)
  useFocusRecovery(popup, initialFocus)
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
          finalFocus={returnsFocus}
        >
          <Base.Title className={styles.title}>{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Removing the focused element, such as a finished action's button, drops the focus: move it back into the dialog. */
function useFocusRecovery(popup: HTMLElement | null, initialFocus: Props['initialFocus']): void {
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

/** A dialog's form: scrolling fields above actions that stay visible. */
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

interface CancelAndSubmitProps {
  readonly submit: string
  readonly look?: 'primary' | 'danger'
  readonly isDisabled?: boolean
  readonly onCancel: () => void
  /** For the initial focus, before what cannot be undone. */
  readonly cancelRef?: RefObject<HTMLButtonElement | null>
}

/** The actions of a form that can be cancelled. */
export function CancelAndSubmit({ submit, look = 'primary', isDisabled, onCancel, cancelRef }: CancelAndSubmitProps) {
  const { t } = useTranslation('ui')
  return (
    <>
      <Button ref={cancelRef} onClick={onCancel}>
        {t('cancel')}
      </Button>
      <Button look={look} type="submit" aria-disabled={isDisabled}>
        {submit}
      </Button>
    </>
  )
}

/** A dialog's body without a form; its actions stay visible. */
export const DialogBody = ({ actions, children }: { readonly actions?: ReactNode; readonly children: ReactNode }) => (
  <>
    <div className={styles.body}>{children}</div>
    {actions !== undefined && <div className={styles.actions}>{actions}</div>}
  </>
)

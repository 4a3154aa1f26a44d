import { Toast } from '@base-ui/react/toast'
import type { ToastManager } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { createProvided } from '../context/provided.ts'
import styles from './toasts.module.css'

export interface Toasts extends ToastManager {
  /** The toasts of failures that stand there, by what they say. */
  readonly failures: Map<string, string>
}

/** The toasts of the window. */
export const [useToasts, provideToasts] = createProvided<Toasts>('toasts')

export const createToasts = (): Toasts => ({ ...Toast.createToastManager(), failures: new Map() })

export interface Failure {
  readonly title: string
  readonly description?: string
  /** What it leads to; the toast goes with it. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

/**
 * Says what was not done: at once to a screen reader too, and until it is dismissed, however long a person is away. The same
 * failure takes the place of the one before, or each further try would leave a toast to dismiss.
 */
export function addFailure({ add, close, failures }: Toasts, { title, description, action }: Failure): void {
  const said = JSON.stringify([title, description])
  const before = failures.get(said)
  if (before !== undefined) close(before)
  const id: string = add({
    ...{ title, description, type: 'error', priority: 'high', timeout: 0 },
    ...(action && { actionProps: { children: action.label, onClick: () => (action.run(), close(id)) } }),
    onClose: () => failures.get(said) === id && failures.delete(said),
  })
  failures.set(said, id)
}

/** What the library's own region of alerts says already is not said by that of news as well, nor hidden from who comes to it. */
const saidByAlert = { 'aria-live': 'off', 'aria-hidden': undefined } as const

/** Short news at the lower right: at most three, the last of the panes while there are any; failures stay, all else goes by itself. */
export const ToastLayer = () => (
  <Toast.Provider toastManager={useToasts()} limit={3}>
    <Toast.Portal>
      <ToastPane />
    </Toast.Portal>
  </Toast.Provider>
)

function ToastPane() {
  const { t } = useTranslation('ui')
  const { toasts } = Toast.useToastManager()
  const isEmpty = toasts.length === 0
  const cameFrom = useRef<HTMLElement>(null)
  useEffect(() => {
    // The last one was dismissed from within.
    if (isEmpty && document.activeElement === document.body) cameFrom.current?.focus()
    if (isEmpty) cameFrom.current = null
  }, [isEmpty])
  return (
    <Toast.Viewport
      className={styles.viewport}
      aria-label={t('notifications')}
      data-pane={isEmpty ? undefined : 'toasts'}
      onFocus={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
          cameFrom.current = relatedTarget
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) cameFrom.current = null
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Tab' || !event.shiftKey || event.target !== event.currentTarget) return
        // The library gives the focus back to where its own F6 took it from; here the window's F6 does that.
        event.preventBaseUIHandler()
        if (cameFrom.current?.isConnected !== true) return
        event.preventDefault()
        cameFrom.current.focus()
      }}
    >
      {toasts.map((toast) => (
        <Toast.Root
          key={toast.id}
          toast={toast}
          data-toast
          className={styles.toast}
          {...(toast.priority === 'high' && saidByAlert)}
        >
          <Toast.Content className={styles.content}>
            <div className={styles.words}>
              <Toast.Title className={styles.title} />
              <Toast.Description className={styles.text} />
            </div>
            <Toast.Action className={styles.action} />
            {/* The library hides it until the pointer or the focus comes; who reads the window line by line has neither. */}
            <Toast.Close className={styles.close} aria-label={t('dismiss')} aria-hidden={false}>
              <X size={14} aria-hidden />
            </Toast.Close>
          </Toast.Content>
        </Toast.Root>
      ))}
    </Toast.Viewport>
  )
}

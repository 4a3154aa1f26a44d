import { Toast } from '@base-ui/react/toast'
import type { ToastManager } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import styles from './toasts.module.css'

export type Toasts = ToastManager

export const createToasts = (): Toasts => Toast.createToastManager()

/**
 * Says what was not done, long enough to read why and what to do. Not by the library's high priority: it hides a toast from
 * screen readers while its buttons can have the focus.
 */
export const addFailure = (toasts: Toasts, told: { readonly title: string; readonly description?: string }): void =>
  void toasts.add({ ...told, type: 'error', timeout: 8000 })

/** Short news at the lower right: at most three, the last of the panes while there are any, gone by themselves. */
export const ToastLayer = ({ toasts }: { readonly toasts: Toasts }) => (
  <Toast.Provider toastManager={toasts} limit={3}>
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
        <Toast.Root key={toast.id} toast={toast} data-toast className={styles.toast}>
          <Toast.Content className={styles.content}>
            <div className={styles.words}>
              <Toast.Title className={styles.title} />
              <Toast.Description className={styles.text} />
            </div>
            <Toast.Action className={styles.action} />
            <Toast.Close className={styles.close} aria-label={t('dismiss')}>
              <X size={14} aria-hidden />
            </Toast.Close>
          </Toast.Content>
        </Toast.Root>
      ))}
    </Toast.Viewport>
  )
}

import { Toast } from '@base-ui/react/toast'
import type { ToastManager } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useContext, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { createProvided } from '../context/provided.ts'
import { MeansContext } from './means-context.ts'
import type { Explained } from './means-context.ts'
import styles from './toasts.module.css'

export interface Toasts extends ToastManager {
  /** Ids of the visible failure toasts, by their text. */
  readonly failures: Map<string, string>
}

export const [useToasts, provideToasts] = createProvided<Toasts>('toasts')

/** Toasts that are added before their layer is drawn wait for it; Base UI would drop them. */
export function createToasts(): Toasts {
  const manager = Toast.createToastManager()
  const early = new Map<string, Parameters<typeof manager.add>[0]>()
  let layers = 0
  return {
    ...manager,
    failures: new Map(),
    add(options) {
      if (layers > 0) return manager.add(options)
      const id = options.id ?? crypto.randomUUID()
      early.set(id, { ...options, id })
      return id
    },
    close(id) {
      if (id === undefined || !early.delete(id)) manager.close(id)
    },
    ' subscribe'(listener) {
      const leave = manager[' subscribe'](listener)
      layers += 1
      for (const options of early.values()) manager.add(options)
      early.clear()
      return () => {
        layers -= 1
        leave()
      }
    },
  }
}

export interface Failure {
  readonly title: string
  readonly description?: string
  /** What the guide explains. */
  readonly problem?: Explained
  /** A follow-up action, which also closes the toast. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

/**
 * Shows a failure until it is dismissed, and announces it at once. Repeating a failure replaces its toast, so that
 * retries do not pile up.
 */
export function addFailure({ add, close, failures }: Toasts, { title, description, problem, action }: Failure): void {
  const text = JSON.stringify([title, description])
  const before = failures.get(text)
  if (before !== undefined) close(before)
  const id: string = add({
    title,
    description,
    data: { problem },
    type: 'error',
    priority: 'high',
    timeout: 0,
    ...(action && { actionProps: { children: action.label, onClick: () => (action.run(), close(id)) } }),
    onClose: () => failures.get(text) === id && failures.delete(text),
  })
  failures.set(text, id)
}

/** Base UI already announces alerts: silence the toast's own live region, but keep it reachable. */
const silencedRegion = { 'aria-live': 'off', 'aria-hidden': undefined } as const

/** Toasts at the lower right, three at most; F6 reaches them after the panes. Failures stay, others time out. */
export const ToastLayer = () => (
  <Toast.Provider toastManager={useToasts()} limit={3}>
    <Toast.Portal>
      <ToastPane />
    </Toast.Portal>
  </Toast.Provider>
)

function ToastPane() {
  const { t } = useTranslation('ui')
  const { toasts } = Toast.useToastManager<Pick<Failure, 'problem'>>()
  const means = useContext(MeansContext)
  const isEmpty = toasts.length === 0
  const cameFrom = useRef<HTMLElement>(null)
  useEffect(() => {
    // The last toast was dismissed while it had the focus.
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
        // Base UI would restore the focus from before its own F6, but the window's F6 brought it here.
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
          {...(toast.priority === 'high' && silencedRegion)}
        >
          <Toast.Content className={styles.content}>
            <div className={styles.words}>
              <Toast.Title className={styles.title} />
              <Toast.Description className={styles.text} />
            </div>
            {toast.data?.problem !== undefined && means(toast.data.problem)}
            <Toast.Action className={styles.action} />
            {/* Base UI hides the button until hover or focus, but a screen reader's reading cursor has neither. */}
            <Toast.Close className={styles.close} aria-label={t('dismiss')} aria-hidden={false}>
              <X size={14} aria-hidden />
            </Toast.Close>
          </Toast.Content>
        </Toast.Root>
      ))}
    </Toast.Viewport>
  )
}

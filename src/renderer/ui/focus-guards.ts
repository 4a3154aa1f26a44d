import { useEffect } from 'react'

import { focusPane } from './panes.ts'

export function useFocusGuards(): void {
  useEffect(() => {
    window.addEventListener('keydown', holdAtEnd)
    const stop = recoverFocus()
    return () => {
      window.removeEventListener('keydown', holdAtEnd)
      stop()
    }
  }, [])
}

/**
 * Base UI's focus guards move the focus only in the next frame; until then, another Tab would leave the dialog for the
 * page below.
 */
function holdAtEnd(event: KeyboardEvent): void {
  const isAtEnd =
    event.target instanceof Element && event.target.matches('[data-base-ui-focus-guard][data-type="inside"]')
  if (event.key === 'Tab' && isAtEnd) event.preventDefault()
}

/**
 * When a focused button removes itself, as "Clear selection" does, the browser moves the focus to the page, where keys do
 * nothing. This moves it to the button's pane, or else to the list. Dialogs and menus, which are outside the root, return
 * the focus to their button, which may be gone too: then it goes to the pane that had it before.
 */
function recoverFocus(): () => void {
  const root = document.getElementById('root')
  let held: { readonly element: Element; readonly isInRoot: boolean } | null = null
  let pane = ''
  const hold = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return
    held = { element: target, isInRoot: root?.contains(target) === true }
    if (held.isInRoot) pane = target.closest<HTMLElement>('[data-pane]')?.dataset['pane'] ?? ''
  }
  const release = ({ target }: FocusEvent): void =>
    // An element that lost the focus but is still on the page lost it on purpose.
    queueMicrotask(() => {
      if (held?.element === target && held.element.isConnected) held = null
    })
  const recover = (): void => {
    if (document.activeElement === document.body && !focusPane(pane)) focusPane('list')
  }
  const changes = new MutationObserver(() => {
    if (held === null || held.element.isConnected) return
    const { isInRoot } = held
    held = null
    if (isInRoot) recover()
    else requestAnimationFrame(recover)
  })
  document.addEventListener('focusin', hold)
  document.addEventListener('focusout', release)
  changes.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', hold)
    document.removeEventListener('focusout', release)
    changes.disconnect()
  }
}

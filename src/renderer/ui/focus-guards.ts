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
 * nothing. This moves it to the button's pane, or else to the list. Dialogs and menus are outside the root and return the
 * focus themselves.
 */
function recoverFocus(): () => void {
  const root = document.getElementById('root')
  let held: { readonly element: Element; readonly pane: string } | null = null
  const hold = ({ target }: FocusEvent): void => {
    const isOurs = target instanceof Element && root?.contains(target) === true
    held = isOurs ? { element: target, pane: target.closest<HTMLElement>('[data-pane]')?.dataset['pane'] ?? '' } : null
  }
  const release = ({ target }: FocusEvent): void =>
    // An element that lost the focus but is still on the page lost it on purpose.
    queueMicrotask(() => {
      if (held?.element === target && held.element.isConnected) held = null
    })
  const changes = new MutationObserver(() => {
    if (held === null || held.element.isConnected) return
    const { pane } = held
    held = null
    if (document.activeElement === document.body && !focusPane(pane)) focusPane('list')
  })
  document.addEventListener('focusin', hold)
  document.addEventListener('focusout', release)
  if (root !== null) changes.observe(root, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', hold)
    document.removeEventListener('focusout', release)
    changes.disconnect()
  }
}

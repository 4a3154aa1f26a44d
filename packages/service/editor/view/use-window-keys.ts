import { keyOf } from '@galley/look'
import { useEffect } from 'react'

/** Handles the shortcuts that work anywhere in the window. */
export function useWindowKeys(keys: { readonly onSave: () => void; readonly onLink: () => void }): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      const key = keyOf(event).toLowerCase()
      if (isCommand && key === 's') keys.onSave()
      else if (isCommand && key === 'k') keys.onLink()
      else if (key === 'f6') focusNextRegion(event.shiftKey ? -1 : 1)
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  })
}

const focusable = 'button:not([tabindex="-1"]), input, select, textarea, [contenteditable="true"], a[href]'

/** Moves the focus to the next or previous region of the window, marked with `data-region`. */
function focusNextRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')]
  const current = regions.findIndex((region) => region.contains(document.activeElement))
  const next = regions[(current + step + regions.length) % regions.length]
  const target = next?.matches(focusable) === true ? next : next?.querySelector<HTMLElement>(focusable)
  target?.focus()
}

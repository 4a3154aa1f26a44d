import { useEffect } from 'react'

import { keyOf } from '../../../contract/domain/key-press.ts'
import { focusNextRegion } from './regions.ts'

/** The keys that work in every part of the window. */
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

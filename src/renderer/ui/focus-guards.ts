import { useEffect } from 'react'

/**
 * The ends of a dialog hand the focus on only in the next frame: a Tab that comes before that would lead out of it, into
 * the page below.
 */
export function useFocusGuards(): void {
  useEffect(() => {
    const hold = (event: KeyboardEvent): void => {
      const isAtEnd =
        event.target instanceof Element && event.target.matches('[data-base-ui-focus-guard][data-type="inside"]')
      if (event.key === 'Tab' && isAtEnd) event.preventDefault()
    }
    window.addEventListener('keydown', hold)
    return () => window.removeEventListener('keydown', hold)
  }, [])
}

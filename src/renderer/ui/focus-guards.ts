import { useEffect } from 'react'

/**
 * Base UI's focus guards move the focus only in the next frame; until then, another Tab would leave the dialog for the
 * page below.
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

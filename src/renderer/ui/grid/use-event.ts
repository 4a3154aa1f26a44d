import { useCallback, useLayoutEffect, useRef } from 'react'

/** A handler that never changes and always runs its newest form, so that rows are not drawn again for it. */
export function useEvent<Args extends readonly unknown[]>(handler: (...args: Args) => void): (...args: Args) => void {
  const newest = useRef(handler)
  useLayoutEffect(() => {
    newest.current = handler
  })
  return useCallback((...args: Args) => newest.current(...args), [])
}

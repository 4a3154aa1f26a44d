import type { RefObject } from 'react'
import { createContext, useEffect, useState } from 'react'

/** About one row of two lines per frame, too fast to read. */
const fastPxPerMs = 2
/** Longer than the time between two frames, or between two repeats of a key. */
const restMs = 120

/** Whether rows pass too quickly to be looked at. What is slow to draw waits until they rest. */
export const PassingContext = createContext(false)

/** Whether a list is scrolled quickly now. */
export function usePassing(scroller: RefObject<HTMLElement | null>): boolean {
  const [isPassing, setPassing] = useState(false)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    let rest: number | undefined
    let [top, atMs] = [element.scrollTop, performance.now()]
    const look = (): void => {
      const [nowTop, nowMs] = [element.scrollTop, performance.now()]
      const isFast = Math.abs(nowTop - top) > fastPxPerMs * (nowMs - atMs)
      ;[top, atMs] = [nowTop, nowMs]
      if (!isFast) return
      setPassing(true)
      clearTimeout(rest)
      rest = window.setTimeout(() => setPassing(false), restMs)
    }
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      element.removeEventListener('scroll', look)
      clearTimeout(rest)
    }
  }, [scroller])
  return isPassing
}

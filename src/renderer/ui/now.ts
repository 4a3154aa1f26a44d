import { useEffect, useState } from 'react'

/** The current time, updated twice a minute, so that "3 min ago" stays true. */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}

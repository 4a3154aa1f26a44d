import { useEffect, useState } from 'react'

import type { ComparedPages, WaitingPage } from '../../../ipc/desk.ts'
import { useBridge } from '../../bridge/use-bridge.ts'

/** What changed on a page that waits; null: it is new; undefined: not known yet, or it could not be compared. */
export function useComparison({ site, materialId, before, after }: WaitingPage): ComparedPages | null | undefined {
  const bridge = useBridge()
  const [known, setKnown] = useState<{ readonly of: string; readonly compared: ComparedPages | null } | null>(null)
  const of = `${before} ${after}`
  useEffect(() => {
    let isCurrent = true
    if (before !== null)
      void bridge
        .call('compareWaiting', { site, materialId, before, after })
        .then((answer) => isCurrent && answer.ok && setKnown({ of, compared: answer.value }))
        .catch(() => null)
    return () => {
      isCurrent = false
    }
  }, [bridge, site, materialId, before, after, of])
  if (before === null) return null
  return known?.of === of ? known.compared : undefined
}

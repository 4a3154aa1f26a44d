import { useCallback, useEffect, useRef, useState } from 'react'

import { viewOf } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'

/** The result of `read`, read again for each new `read`; until it arrives, the previous result stays. */
export function useRead<Items>(read: () => Promise<Items>): { readonly view: View<Items>; readonly retry: () => void } {
  const [view, setView] = useState<View<Items>>({ kind: 'loading' })
  const asked = useRef(0)
  const load = useCallback(async () => {
    asked.current += 1
    const question = asked.current
    const found = await viewOf(read())
    if (question === asked.current) setView(found)
  }, [read])
  useEffect(() => void load(), [load])
  return { view, retry: () => void load() }
}

import type { MediaChange } from '@galley/library/records'
import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import { useEffect, useState } from 'react'

import type { CallProblem } from '../../ipc/calls.ts'
import type { VersionMedia } from '../../ipc/media.ts'
import { catchUnexpected } from '../bridge/answers.ts'
import { useBridge } from '../bridge/use-bridge.ts'

/** A version, and the one that it is compared with; null: it is shown alone. */
export interface MediaOf {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly before: VersionId | null
  readonly after: VersionId
}

export type MediaView =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly problem: CallProblem; readonly retry: () => void }
  | { readonly kind: 'ready'; readonly rows: readonly MediaChange<VersionMedia>[] }

/** The media files of a version, beside those of another one. */
export function useMedia({ site, materialId, before, after }: MediaOf): MediaView {
  const bridge = useBridge()
  const [turn, setTurn] = useState(0)
  const key = JSON.stringify([site, materialId, before, after, turn])
  const [known, setKnown] = useState<{ readonly key: string; readonly view: MediaView } | null>(null)
  useEffect(() => {
    let isWanted = true
    const read = async (): Promise<void> => {
      const answer = await catchUnexpected(bridge.call('versionMedia', { site, materialId, before, after }))
      const retry = (): void => setTurn(turn + 1)
      const view: MediaView = answer.ok
        ? { kind: 'ready', rows: answer.value }
        : { kind: 'failed', problem: answer.failure, retry }
      if (isWanted) setKnown({ key, view })
    }
    void read()
    return () => {
      isWanted = false
    }
  }, [bridge, site, materialId, before, after, turn, key])
  return known?.key === key ? known.view : { kind: 'loading' }
}

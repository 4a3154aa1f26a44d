import type { VersionRow } from '@galley/library/records'
import type { DragEvent } from 'react'
import { useTranslation } from 'react-i18next'

import type { VersionFileKind } from '../../ipc/version-files.ts'
import { catchUnexpected } from '../bridge/answers.ts'
import { useBridge } from '../bridge/use-bridge.ts'
import { useToasts } from '../ui/toasts.tsx'
import { useSucceeded } from './call-toasts.ts'

/** Follows whether the button of the mouse is still down: Galley drags nothing for a button that was let go. */
function followPress(): { readonly isDown: () => boolean; readonly stop: () => void } {
  const letGo = new AbortController()
  const options = { capture: true, signal: letGo.signal }
  for (const event of ['pointerup', 'pointercancel', 'blur'] as const)
    addEventListener(event, () => letGo.abort(), options)
  return { isDown: () => !letGo.signal.aborted, stop: () => letGo.abort() }
}

/** Begins to drag a file of a version out of the window: a handler of `dragstart`. */
export function useDragOut(): (
  version: Pick<VersionRow, 'site' | 'materialId' | 'versionId'>,
  kind: VersionFileKind,
  event: DragEvent,
) => void {
  const { t } = useTranslation('versions')
  const bridge = useBridge()
  const toasts = useToasts()
  const succeeded = useSucceeded()
  return ({ site, materialId, versionId }, kind, event) => {
    // The system drags the file instead of the page its element.
    event.preventDefault()
    const file = { site, materialId, versionId, kind }
    const { isDown, stop } = followPress()
    const drag = async (): Promise<void> => {
      const prepared = await catchUnexpected(bridge.call('prepareVersionFile', file))
      const isStillDown = isDown()
      stop()
      if (!succeeded(t('files.failed'), prepared)) return
      if (isStillDown) succeeded(t('files.failed'), await catchUnexpected(bridge.call('dragVersionFile', file)))
      else toasts.add({ title: t('files.late') })
    }
    void drag()
  }
}

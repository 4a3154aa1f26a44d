import type { MaterialRow, VersionRow } from '@galley/library/records'
import type { CallbackId, MaterialId } from '@galley/wire'
import { ok } from '@galley/wire'
import type { StoreApi } from 'zustand'

import { catchUnexpected } from '../../bridge/answers.ts'
import { addUndoable, succeeded } from '../../domain/call-toasts.ts'
import { copyText } from '../../domain/copy-text.ts'
import type { Services } from '../../domain/services.ts'
import type { MaterialHandlers } from './material-menu.ts'
import type { MaterialsState } from './store.ts'

interface CurrentVersionHandlers extends Pick<MaterialHandlers, 'exportThem'> {
  readonly approve: (version: VersionRow) => void
  readonly reject: (version: VersionRow) => void
}

/** Actions on a material. `approve` and `reject` decide about its current version. */
export function createMaterialHandlers(
  services: Services,
  materials: StoreApi<MaterialsState>,
  { approve, reject, exportThem }: CurrentVersionHandlers,
): MaterialHandlers {
  const { bridge, navigation, texts } = services
  async function archive(
    materialIds: readonly MaterialId[],
    isArchived: boolean,
    { site }: Pick<MaterialsState, 'site'> = materials.getState(),
  ): Promise<void> {
    const t = texts.getFixedT(texts.language, 'materials')
    const done = await materials.getState().archive(materialIds, isArchived, site)
    if (!succeeded(services, t('done.failed'), done)) return
    const count = materialIds.length
    addUndoable(services, t(isArchived ? 'done.archived' : 'done.unarchived', { count }), () => {
      void archive(materialIds, !isArchived, { site })
    })
  }
  /** Acts on the version that the list shows as current. */
  async function onCurrent(
    { site, materialId, currentVersionId: versionId }: MaterialRow,
    act: (version: VersionRow) => void,
  ): Promise<void> {
    if (versionId === null) return
    const found = await catchUnexpected(bridge.call('inspectVersion', { site, materialId, versionId }))
    if (found.ok) act(found.value.version)
    else succeeded(services, texts.t('versions:changeFailed'), found)
  }
  async function dismiss(id: CallbackId, isDismissed: boolean): Promise<void> {
    const done = await catchUnexpected(bridge.call('dismissFailedSave', { id, isDismissed }).then(ok))
    if (!succeeded(services, texts.t('materials:done.failed'), done) || !isDismissed) return
    addUndoable(services, texts.t('materials:done.failureDismissed'), () => void dismiss(id, false))
  }
  return {
    dismissFailure: (id) => void dismiss(id, true),
    showCallback: (callbackId) => navigation.getState().go({ screen: 'delivery', callbackId }),
    archive,
    show: ({ materialId }) => navigation.getState().go({ screen: 'material', materialId, versionId: null }),
    review: ({ site, materialId, currentVersionId: versionId }) => {
      if (versionId === null) return
      void catchUnexpected(bridge.call('openReview', { site, materialId, versionId, compareWith: null })).then(
        (opened) => succeeded(services, texts.t('versions:reviewFailed'), opened),
      )
    },
    approve: (material) => void onCurrent(material, approve),
    reject: (material) => void onCurrent(material, reject),
    allow: async (materialIds) =>
      void succeeded(services, texts.t('materials:done.failed'), await materials.getState().refuse(materialIds, null)),
    exportThem,
    showPage: ({ materialId }) => navigation.getState().go({ screen: 'publish', tab: 'pages', itemId: materialId }),
    copy: (text) => copyText(services, text),
  }
}

import type { MaterialRow, PruneReport, VersionRow } from '@galley/library/records'
import type { CallbackId, MaterialId } from '@galley/wire'
import { ok } from '@galley/wire'

import { catchUnexpected } from '../../bridge/answers.ts'
import type { Command } from '../../commands/commands.ts'
import { createProvided } from '../../context/provided.ts'
import { addUndoable, succeeded } from '../../domain/call-toasts.ts'
import { titleOf } from '../../domain/material-title.ts'
import type { AuthorMessage } from '../../domain/rejection-text.ts'
import { authorMessage } from '../../domain/rejection-text.ts'
import type { Services } from '../../domain/services.ts'
import type { MaterialHandlers } from '../../features/materials/material-menu.ts'
import type { MaterialsState } from '../../features/materials/store.ts'
import type { VersionHandlers } from '../../features/versions/version-handlers.ts'
import { formatsIn } from '../../i18n/formats.ts'
import { currentView } from '../../navigation/navigation.ts'
import { copyText } from './copy-text.ts'
import { commandsOfShown } from './material-commands.ts'
import type { MaterialStores } from './material-stores.ts'
import { createSaveProblemActions } from './save-problems.ts'
import type { SaveProblemActions } from './save-problems.ts'

/** Actions on materials and versions that involve more than their own stores. */
export interface MaterialActions {
  readonly material: MaterialHandlers
  readonly version: VersionHandlers
  readonly saves: SaveProblemActions
  /** After a deletion: leaves deleted materials and reports the freed space. */
  readonly deleted: (materialIds: readonly MaterialId[], report: PruneReport) => void
  readonly load: () => Promise<void>
  /** Commands available only on Materials and Material. */
  readonly commandsOfShown: readonly Command[]
}

export const [useMaterialActions, provideMaterialActions] = createProvided<MaterialActions>('actions of materials')

/** Connects the material stores to toasts, clipboard and navigation. */
export function createMaterialActions(services: Services, stores: MaterialStores): MaterialActions {
  const version = versionHandlers(services, stores)
  const material = materialHandlers(services, stores, version)
  return {
    material,
    version,
    saves: createSaveProblemActions(services),
    deleted: (materialIds, report) => {
      const { navigation, texts, toasts } = services
      const view = currentView(navigation.getState())
      const isShown =
        (view.screen === 'material' || view.screen === 'materials') && materialIds.includes(view.materialId ?? '')
      if (isShown) navigation.getState().go({ screen: 'materials', materialId: null })
      const t = texts.getFixedT(texts.language, 'materials')
      const size = formatsIn(texts.language).size(report.bytes)
      toasts.add({ title: t('done.deleted', { count: materialIds.length }), description: t('done.freed', { size }) })
    },
    load: stores.load,
    commandsOfShown: commandsOfShown(services, stores, { version, material }),
  }
}

/** Actions on a version. */
function versionHandlers(
  services: Services,
  { versions, exportStart, chosenMaterial }: MaterialStores,
): VersionHandlers {
  const { navigation, texts } = services
  const { mark, review, setRejecting } = versions.getState()
  const change: VersionHandlers['mark'] = async (version, marks) =>
    succeeded(services, texts.t('versions:changeFailed'), await mark(version, marks))
  const messageFor = async (version: VersionRow): Promise<AuthorMessage> => {
    const { view } = chosenMaterial.getState()
    const material = view.kind === 'ready' && view.items !== null ? view.items : { ...version, title: '' }
    const { site, materialId, versionId } = version
    const facts = await services.bridge.call('messageFacts', { site, materialId, versionId })
    return authorMessage(texts, titleOf(material), version, facts)
  }
  return {
    mark: change,
    decide: async (version, verdict) => {
      const { verdict: before } = version
      if (before?.decision === 'approved' && verdict?.decision === 'approved') return true
      const isDone = await change(version, { verdict })
      if (isDone && before !== null) {
        const { decision, reason } = before
        addUndoable(services, texts.t(`versions:decided.${verdict?.decision ?? 'cleared'}`), () => {
          void change(version, { verdict: { decision, reason } })
        })
      }
      return isDone
    },
    review: (versionId, compareWith) =>
      void review(versionId, compareWith).then((opened) =>
        succeeded(services, texts.t('versions:reviewFailed'), opened),
      ),
    exportIt: ({ materialId, versionId }) => exportStart.withVersion(materialId, versionId),
    reject: setRejecting,
    showCallback: (callbackId) => navigation.getState().go({ screen: 'callbacks', callbackId }),
    copy: (text) => copyText(services, text),
    copyRejection: (version) =>
      void messageFor(version).then(({ subject, body }) =>
        copyText(services, body === '' ? subject : `${subject}\n\n${body}`),
      ),
    mailAuthor: (version) => void mailAuthor(services, version, messageFor),
  }
}

async function mailAuthor(
  services: Services,
  version: VersionRow,
  messageFor: (version: VersionRow) => Promise<AuthorMessage>,
): Promise<void> {
  const { bridge, texts, toasts } = services
  const { site, materialId, userEmail: to } = version
  if (to === null) return
  const message = await messageFor(version)
  const sent = await catchUnexpected(bridge.call('mailAuthor', { site, materialId, to, ...message }))
  if (sent.ok) toasts.add({ title: texts.t(`review:mailed.${sent.value}`, { to }) })
  else succeeded(services, texts.t('review:mailFailed'), sent)
}

/** Actions on a material. */
function materialHandlers(
  services: Services,
  { materials, exportStart }: MaterialStores,
  version: VersionHandlers,
): MaterialHandlers {
  const { bridge, navigation, texts, toasts } = services
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
    showCallback: (callbackId) => navigation.getState().go({ screen: 'callbacks', callbackId }),
    archive,
    show: ({ materialId }) => navigation.getState().go({ screen: 'material', materialId, versionId: null }),
    review: ({ site, materialId, currentVersionId: versionId }) => {
      if (versionId === null) return
      void catchUnexpected(bridge.call('openReview', { site, materialId, versionId, compareWith: null })).then(
        (opened) => succeeded(services, texts.t('versions:reviewFailed'), opened),
      )
    },
    approve: (material) =>
      void onCurrent(material, (current) => void version.decide(current, { decision: 'approved', reason: '' })),
    reject: (material) => void onCurrent(material, version.reject),
    allow: async (materialIds) => {
      const done = await materials.getState().refuse(materialIds, null)
      const isDone = succeeded(services, texts.t('materials:done.failed'), done)
      if (isDone) toasts.add({ title: texts.t('materials:done.allowed') })
    },
    exportThem: exportStart.withMaterials,
    showPage: ({ materialId }) => navigation.getState().go({ screen: 'publish', tab: 'pages', itemId: materialId }),
    copy: (text) => copyText(services, text),
  }
}

import type { Answer, PruneReport } from '@galley/library/records'
import type { CallbackId, MaterialId, SiteId } from '@galley/wire'
import { ok } from '@galley/wire'

import { catchUnexpected } from '../../bridge/answers.ts'
import type { Command } from '../../commands/commands.ts'
import { createProvided } from '../../context/provided.ts'
import { succeeded } from '../../domain/call-toasts.ts'
import { titleOf } from '../../domain/material-title.ts'
import type { Services } from '../../domain/services.ts'
import { shownMaterialCommands } from '../../features/materials/commands.ts'
import { createMaterialHandlers } from '../../features/materials/handlers.ts'
import type { MaterialHandlers } from '../../features/materials/material-menu.ts'
import { versionCommands } from '../../features/versions/commands.ts'
import { createVersionHandlers } from '../../features/versions/version-handlers.ts'
import type { VersionHandlers } from '../../features/versions/version-handlers.ts'
import { formatsIn } from '../../i18n/formats.ts'
import { currentView } from '../../navigation/navigation.ts'
import { keep } from '../../ui/kept.ts'
import type { MaterialStores } from './material-stores.ts'

/** Actions on saves that were not stored, from every screen that shows them. */
interface SaveProblemActions {
  /** Shows what the signature doctor says of a callback. */
  readonly checkSignature: (callbackId: CallbackId, site?: SiteId) => void
  readonly dismissUnsigned: (site: SiteId) => void
  /** Makes the header in which a callback was signed rightly that of its site. */
  readonly adoptHeader: (callbackId: CallbackId) => void
  readonly dismissGaps: () => void
}

function createSaveProblemActions(services: Services): SaveProblemActions {
  const { bridge, navigation, texts, toasts } = services
  const isDone = async (ending: Promise<Answer<unknown>>): Promise<boolean> =>
    succeeded(services, texts.t('materials:done.failed'), await catchUnexpected(ending))
  return {
    checkSignature: (callbackId, site) => {
      keep('callbacks:tab', 'signature')
      navigation.getState().go({ screen: 'delivery', callbackId }, site)
    },
    dismissUnsigned: (site) => void isDone(bridge.call('dismissUnsignedSaves', { site }).then(ok)),
    adoptHeader: (id) =>
      void isDone(bridge.call('adoptSignatureHeader', { id })).then(
        (isAdopted) => isAdopted && toasts.add({ title: texts.t('materials:done.headerAdopted') }),
      ),
    dismissGaps: () => void isDone(bridge.call('forgetSleepGaps', undefined).then(ok)),
  }
}

/** Actions on materials and versions. Here, because they join materials, versions, exports and callbacks. */
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
  const { materials, versions, chosenMaterial, exportStart } = stores
  const version = createVersionHandlers(services, versions, {
    exportIt: exportStart.withVersion,
    titleOf: ({ materialId }) => {
      const { view } = chosenMaterial.getState()
      return titleOf(view.kind === 'ready' && view.items !== null ? view.items : { materialId, title: '' })
    },
  })
  const material = createMaterialHandlers(services, materials, {
    approve: (current) => void version.decide(current, { decision: 'approved', reason: '' }),
    reject: version.reject,
    exportThem: exportStart.withMaterials,
  })
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
    commandsOfShown: [
      ...versionCommands(services, stores, version),
      ...shownMaterialCommands(services, stores, material),
    ],
  }
}

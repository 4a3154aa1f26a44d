import type { Provide } from '../../context/provided.ts'
import { createComments, provideComments } from '../../domain/comments.ts'
import { createGoingBack, provideGoingBack } from '../../domain/going-back.ts'
import type { Services } from '../../domain/services.ts'
import { provideExportDraft } from '../../features/exports/draft.ts'
import { createChosenMaterial, provideChosenMaterial } from '../../features/materials/chosen-material.ts'
import {
  createMaterials,
  provideMaterialRows,
  provideMaterials,
  provideMaterialViews,
} from '../../features/materials/store.ts'
import { createVersions, provideVersionRows, provideVersions } from '../../features/versions/store.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { createExportStart } from './export-start.ts'

/**
 * State shared by Materials and Material. Here, because it joins three features: the table and the open material, its
 * versions, and an export of them.
 */
export function createMaterialStores(services: Services) {
  const { navigation } = services
  const bridge = whileShown(services.bridge, navigation, ['materials', 'material'])
  const table = createMaterials(bridge, navigation)
  const { versions, versionRows } = createVersions(bridge)
  const comments = createComments(whileShown(services.bridge, navigation, ['materials', 'material', 'review']))
  const chosenMaterial = createChosenMaterial(bridge)
  const exportStart = createExportStart(services, table, chosenMaterial)
  /** Reloads both screens. */
  const load = async (): Promise<void> => {
    await Promise.all([table.materials, versions, chosenMaterial].map((store) => store.getState().load()))
  }
  // Actions on a material act on the site of the table, also from Review.
  followOn(navigation, ['review'], (site) => table.materials.getState().show(site))
  followOn(navigation, ['materials', 'material'], (site, view) => {
    table.materials.getState().show(site)
    const { materialId } = view
    if (site === null || materialId === null) return
    const versionId = view.screen === 'material' ? view.versionId : null
    chosenMaterial.getState().show({ site, materialId })
    versions.getState().show({ site, materialId, versionId })
  })
  return { ...table, comments, versions, versionRows, chosenMaterial, exportStart, load }
}

export type MaterialStores = ReturnType<typeof createMaterialStores>

export const provideMaterialStores = (stores: MaterialStores): readonly Provide[] => [
  provideMaterials(stores.materials),
  provideMaterialRows(stores.materialRows),
  provideMaterialViews(stores.views),
  provideComments(stores.comments),
  provideGoingBack(createGoingBack()),
  provideVersions(stores.versions),
  provideVersionRows(stores.versionRows),
  provideChosenMaterial(stores.chosenMaterial),
  provideExportDraft(stores.exportStart.draft),
]

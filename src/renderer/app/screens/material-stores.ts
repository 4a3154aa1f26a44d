import type { VersionRef } from '@galley/library/records'
import type { MaterialId, VersionId } from '@galley/wire'
import type { StoreApi } from 'zustand'

import type { Provide } from '../../context/provided.ts'
import { createComments, provideComments } from '../../domain/comments.ts'
import { createGoingBack, provideGoingBack } from '../../domain/going-back.ts'
import type { Services } from '../../domain/services.ts'
import { createExportDraft, emptyDraft, provideExportDraft } from '../../features/exports/draft.ts'
import { createChosenMaterial, provideChosenMaterial } from '../../features/materials/chosen-material.ts'
import type { ChosenMaterialState } from '../../features/materials/chosen-material.ts'
import {
  createMaterials,
  provideMaterialRows,
  provideMaterials,
  provideMaterialViews,
} from '../../features/materials/store.ts'
import type { Materials } from '../../features/materials/store.ts'
import { createVersions, provideVersionRows, provideVersions } from '../../features/versions/store.ts'
import { currentSite, currentView, followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'

/** The export being prepared, and what starts one. Here, because an export begins with what Materials shows. */
function createExportStart(
  { bridge, navigation }: Services,
  { materials, materialRows }: Materials,
  chosenMaterial: StoreApi<ChosenMaterialState>,
) {
  const draft = createExportDraft(bridge)
  /** Finds a material that is already loaded: the open one or a table row. */
  const known = (materialId: MaterialId) => {
    const { view } = chosenMaterial.getState()
    const chosen = view.kind === 'ready' ? view.items : null
    return [chosen, ...materialRows.getState().rows.values()].find((row) => row?.materialId === materialId)
  }
  const open = (
    materialIds: readonly MaterialId[] | null,
    versionId: VersionId | null,
    site = currentSite(navigation.getState()),
  ): void => {
    if (site === null) return
    navigation.getState().goToTab('exports')
    const taken = materialIds
      ?.filter((materialId) => known(materialId)?.versions !== 0)
      .map((materialId) => ({ materialId, title: known(materialId)?.title ?? materialId, versionId }))
    draft.getState().open({ ...emptyDraft(site), materials: taken ?? null })
  }
  return {
    draft,
    /** Exports the current version of each material; materials without a version are left out. */
    withMaterials: (materialIds: readonly MaterialId[]): void => open(materialIds, null),
    withVersion: ({ site, materialId, versionId }: VersionRef): void => open([materialId], versionId, site),
    /** Exports the open or selected materials, or else everything. */
    withWhatIsShown: (): void => {
      const view = currentView(navigation.getState())
      const { selected } = materials.getState()
      if (view.screen === 'material') open([view.materialId], view.versionId)
      else open(view.screen === 'materials' && selected.size > 0 ? [...selected] : null, null)
    },
  }
}

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

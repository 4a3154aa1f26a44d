import type { MaterialId, VersionId } from '@galley/wire'
import type { StoreApi } from 'zustand'

import type { WantedBack } from '../../domain/going-back.ts'
import type { Services } from '../../domain/services.ts'
import { createExportDraft, emptyDraft } from '../../features/exports/draft.ts'
import type { ChosenMaterialState } from '../../features/materials/chosen-material.ts'
import type { Materials } from '../../features/materials/store.ts'
import { currentSite, currentView } from '../../navigation/navigation.ts'

/** The export being prepared, and what starts one. Here, because an export begins with what Materials shows. */
export function createExportStart(
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
    withVersion: ({ site, materialId, versionId }: WantedBack): void => open([materialId], versionId, site),
    /** Exports the open or selected materials, or else everything. */
    withWhatIsShown: (): void => {
      const view = currentView(navigation.getState())
      const { selected } = materials.getState()
      if (view.screen === 'material') open([view.materialId], view.versionId)
      else open(view.screen === 'materials' && selected.size > 0 ? [...selected] : null, null)
    },
  }
}

import { createExportDraft, emptyDraft } from '../../features/exports/draft.ts'
import type { createChosenMaterial } from '../../features/materials/chosen-material.ts'
import type { Materials } from '../../features/materials/store.ts'
import { siteNow, viewNow } from '../../navigation/navigation.ts'
import type { Services } from '../../domain/services.ts'

/** The export that is being prepared, and what it begins with. */
export function createExportStart(
  { bridge, useNavigation }: Services,
  { useMaterials, useRows }: Materials,
  useChosen: ReturnType<typeof createChosenMaterial>,
) {
  const useDraft = createExportDraft(bridge)
  /** What is known of a material without asking: that it is looked at, or that the table shows it. */
  const known = (materialId: string) => {
    const { view } = useChosen.getState()
    const chosen = view.kind === 'ready' ? view.items : null
    return [chosen, ...useRows.getState().rows.values()].find((row) => row?.materialId === materialId)
  }
  const open = (materialIds: readonly string[] | null, versionId: string | null): void => {
    const site = siteNow(useNavigation.getState())
    if (site === null) return
    useNavigation.getState().goToSection('exports')
    const materials = materialIds
      ?.filter((materialId) => known(materialId)?.versions !== 0)
      .map((materialId) => ({ materialId, title: known(materialId)?.title ?? materialId, versionId }))
    useDraft.getState().open({ ...emptyDraft(site), materials: materials ?? null })
  }
  return {
    useDraft,
    /** Takes these materials as they are now; what was never saved is left out. */
    withMaterials: (materialIds: readonly string[]): void => open(materialIds, null),
    withVersion: (materialId: string, versionId: string): void => open([materialId], versionId),
    /** Takes what is looked at or selected, and everything where that is nothing. */
    withWhatIsShown: (): void => {
      const view = viewNow(useNavigation.getState())
      const { selected } = useMaterials.getState()
      if (view.screen === 'material') open([view.materialId], view.versionId)
      else open(view.screen === 'materials' && selected.size > 0 ? [...selected] : null, null)
    },
  }
}

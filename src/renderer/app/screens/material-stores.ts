import { createSafety } from '../../domain/safety-copy.tsx'
import { createChosenMaterial } from '../../features/materials/chosen-material.ts'
import { createMaterials } from '../../features/materials/store.ts'
import { createVersions } from '../../features/versions/store.ts'
import { followOn, viewNow } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import type { Services } from '../../domain/services.ts'
import { createExportStart } from './export-start.ts'

/** What Materials and Material share: the table, the material that is looked at, its versions, and what is exported. */
export function createMaterialParts(services: Services) {
  const bridge = whileShown(services.bridge, services.useNavigation, ['materials', 'material'])
  const materials = createMaterials({ ...services, bridge })
  const versions = createVersions(bridge)
  const useChosen = createChosenMaterial(bridge)
  const useSafety = createSafety(bridge)
  const exportStart = createExportStart(services, materials, useChosen)
  /** Reads again what both show. */
  const load = async (): Promise<void> => {
    await Promise.all([materials.useMaterials, versions.useVersions, useChosen].map((store) => store.getState().load()))
  }
  followOn(services.useNavigation, ['materials', 'material'], (site, view) => {
    materials.useMaterials.getState().show(site)
    const { materialId } = view
    if (site === null || materialId === null) return
    const versionId = view.screen === 'material' ? view.versionId : null
    useChosen.getState().show({ site, materialId })
    versions.useVersions.getState().show({ site, materialId, versionId })
  })
  return { materials, versions, useChosen, useSafety, exportStart, load }
}

export type MaterialParts = ReturnType<typeof createMaterialParts>

/** What a command is about: the selected rows of the table, or else the material that is looked at; and whether they are archived. */
export function pickedMaterials(
  { useNavigation }: Services,
  { materials, useChosen }: MaterialParts,
): { readonly ids: readonly string[]; readonly isArchive: boolean } {
  const view = viewNow(useNavigation.getState())
  if (view.screen !== 'materials' && view.screen !== 'material') return { ids: [], isArchive: false }
  const { selected, question } = materials.useMaterials.getState()
  if (view.screen === 'materials' && selected.size > 0) return { ids: [...selected], isArchive: question.archived }
  const { view: chosen } = useChosen.getState()
  const material = chosen.kind === 'ready' && chosen.items?.materialId === view.materialId ? chosen.items : null
  return { ids: view.materialId === null ? [] : [view.materialId], isArchive: material?.archivedAt != null }
}

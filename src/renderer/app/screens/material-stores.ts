import { createChosenMaterial } from '../../features/materials/chosen-material.ts'
import { createMaterials } from '../../features/materials/store.ts'
import { createVersions } from '../../features/versions/store.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import type { Services } from '../../services.ts'
import { createExportStart } from './export-start.ts'

/** What Materials and Material share: the table, the material that is looked at, its versions, and what is exported. */
export function createMaterialParts(services: Services) {
  const bridge = whileShown(services.bridge, services.useNavigation, ['materials', 'material'])
  const materials = createMaterials({ ...services, bridge })
  const versions = createVersions(bridge)
  const useChosen = createChosenMaterial(bridge)
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
  return { materials, versions, useChosen, exportStart, load }
}

export type MaterialParts = ReturnType<typeof createMaterialParts>

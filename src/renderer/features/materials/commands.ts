import type { MaterialRow } from '@galley/library/records'
import type { MaterialId } from '@galley/wire'
import type { StoreApi } from 'zustand'

import type { Command } from '../../commands/commands.ts'
import type { Services } from '../../domain/services.ts'
import { currentSite, currentView } from '../../navigation/navigation.ts'
import type { ChosenMaterialState } from './chosen-material.ts'
import type { MaterialHandlers } from './material-menu.ts'
import type { MaterialsState } from './store.ts'

type Navigation = Pick<Services, 'navigation'>
interface Stores {
  readonly materials: StoreApi<MaterialsState>
  readonly chosenMaterial: StoreApi<ChosenMaterialState>
}

/** The selected or open material, on screens that have one. */
function shownId({ navigation }: Navigation): string | null {
  const view = currentView(navigation.getState())
  return view.screen === 'materials' || view.screen === 'material' ? view.materialId : null
}

/** The materials a command applies to, the selected rows or else the open material, and whether they are archived. */
function pickedMaterials(
  services: Navigation,
  { materials, chosenMaterial }: Stores,
): { readonly ids: readonly string[]; readonly isArchive: boolean } {
  const { selected, question } = materials.getState()
  const isTable = currentView(services.navigation.getState()).screen === 'materials'
  if (isTable && selected.size > 0) return { ids: [...selected], isArchive: question.archived }
  const id = shownId(services)
  const { view } = chosenMaterial.getState()
  const material = view.kind === 'ready' && view.items?.materialId === id ? view.items : null
  return { ids: id === null ? [] : [id], isArchive: material?.archivedAt != null }
}

/** Material commands that work wherever a material is selected. */
export function materialCommands(services: Services, stores: Stores): readonly Command[] {
  const { bridge, navigation } = services
  const { materials, chosenMaterial } = stores
  const { setDialog } = materials.getState()
  const chosen = () => {
    const { of, view } = chosenMaterial.getState()
    return view.kind === 'ready' && of?.materialId === shownId(services) ? view.items : null
  }
  const inMaterials = (): boolean => currentView(navigation.getState()).screen === 'materials'
  const onShown = (run: (materialId: MaterialId) => void) => ({
    isAvailable: () => shownId(services) !== null,
    run: () => {
      const materialId = shownId(services)
      if (materialId !== null) run(materialId)
    },
  })
  return [
    {
      id: 'material.new',
      group: 'materials',
      title: (t) => t('materials:commands.create'),
      isAvailable: () => currentSite(navigation.getState()) !== null,
      run: () => {
        if (!inMaterials()) navigation.getState().goToSection('materials')
        setDialog({ kind: 'new' })
      },
    },
    {
      id: 'material.openEditor',
      group: 'materials',
      title: (t) => t('materials:commands.open'),
      ...onShown((materialId) => void materials.getState().edit(materialId)),
    },
    {
      id: 'material.openForm',
      group: 'materials',
      title: (t) => t('materials:commands.openForm'),
      ...onShown((materialId) => void materials.getState().preview(materialId)),
    },
    {
      id: 'material.rename',
      group: 'materials',
      title: (t) => t('materials:commands.rename'),
      isAvailable: () => chosen() !== null,
      run: () => {
        const material = chosen()
        if (material !== null) setDialog({ kind: 'rename', material })
      },
    },
    {
      id: 'material.tags',
      group: 'materials',
      title: (t) => t('materials:commands.tags'),
      ...onShown(() => setDialog({ kind: 'tags', materialIds: pickedMaterials(services, stores).ids })),
    },
    {
      id: 'material.refuse',
      group: 'materials',
      title: (t) => t('materials:commands.refuse'),
      ...onShown((materialId) => setDialog({ kind: 'refuse', materialIds: [materialId] })),
      isAvailable: () => chosen()?.isRefused === false,
    },
    {
      id: 'material.copyId',
      group: 'materials',
      title: (t) => t('materials:commands.copyId'),
      ...onShown((materialId) => void bridge.call('copyText', { text: materialId })),
    },
    {
      id: 'material.saveView',
      group: 'materials',
      title: (t) => t('materials:commands.saveView'),
      isAvailable: inMaterials,
      run: () => setDialog({ kind: 'view' }),
    },
  ]
}

/** Commands for Materials and Material: decisions about the selected material, and archiving. */
export const shownMaterialCommands = (
  services: Services,
  stores: Stores,
  handlers: MaterialHandlers,
): readonly Command[] => [
  ...decisionCommands(services, stores, handlers),
  ...endingCommands(services, stores, handlers.archive),
]

/** Decisions about the current version of the material selected in the table, where letters are not shortcuts. */
function decisionCommands(
  { navigation }: Navigation,
  { chosenMaterial }: Stores,
  handlers: MaterialHandlers,
): readonly Command[] {
  const chosen = (): MaterialRow | null => {
    const shown = currentView(navigation.getState())
    const { of, view } = chosenMaterial.getState()
    const isShown = shown.screen === 'materials' && shown.materialId !== null && of?.materialId === shown.materialId
    return isShown && view.kind === 'ready' && view.items?.currentVersionId ? view.items : null
  }
  return (['approve', 'reject'] as const).map((action) => ({
    id: `material.${action}`,
    group: 'materials',
    title: (t) => t(`materials:commands.${action}`),
    isAvailable: () => chosen() !== null,
    run: () => {
      const material = chosen()
      if (material !== null) handlers[action](material)
    },
  }))
}

function endingCommands(
  services: Navigation,
  stores: Stores,
  archive: MaterialHandlers['archive'],
): readonly Command[] {
  const picked = () => pickedMaterials(services, stores)
  const isAvailable = (): boolean => picked().ids.length > 0
  return [
    {
      id: 'material.archive',
      group: 'materials',
      title: (t) => t('materials:commands.archive'),
      isAvailable,
      run: () => {
        const { ids, isArchive } = picked()
        void archive(ids, !isArchive)
      },
    },
    {
      id: 'material.delete',
      group: 'materials',
      title: (t) => t('materials:commands.delete'),
      isAvailable,
      run: () => stores.materials.getState().setDialog({ kind: 'delete', materialIds: picked().ids }),
    },
  ]
}

import type { Bridge } from '../../contract/ipc.ts'
import { createCallbacks } from '../features/callbacks/store.ts'
import { createFonts } from '../features/fonts/store.ts'
import { createListener } from '../features/listener/store.ts'
import { createMaterials } from '../features/materials/store.ts'
import { createSites } from '../features/sites/store.ts'
import { createVersions } from '../features/versions/store.ts'
import { createNavigation } from './navigation.ts'

/** Builds the stores of the window on one bridge and leads each choice on to the features that follow from it. */
export function createStores(bridge: Bridge) {
  const useSites = createSites(bridge)
  const useMaterials = createMaterials(bridge)
  const useVersions = createVersions(bridge)
  const useCallbacks = createCallbacks(bridge)
  const useFonts = createFonts(bridge)
  const useListener = createListener(bridge)

  useSites.subscribe(({ selectedId }, before) => {
    if (selectedId === before.selectedId) return
    for (const feature of [useMaterials, useCallbacks, useFonts]) feature.getState().show(selectedId)
  })
  useMaterials.subscribe(({ site, selectedId }) => {
    useVersions.getState().show(site === null || selectedId === null ? null : { site, materialId: selectedId })
  })

  const start = async (): Promise<void> => {
    await Promise.all([useSites.getState().load(), useListener.getState().load()])
  }
  return {
    useNavigation: createNavigation(),
    useSites,
    useMaterials,
    useVersions,
    useCallbacks,
    useFonts,
    useListener,
    start,
  }
}

export type Stores = ReturnType<typeof createStores>

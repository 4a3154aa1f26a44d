import type { Provide } from '../../context/provided.ts'
import {
  createDifference,
  createFonts,
  createSnapshot,
  createUsage,
  provideFontDifference,
  provideFonts,
  provideFontUsage,
  provideSnapshot,
} from '../../features/fonts/store.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import type { Services } from '../state/services.ts'

/** The font sets of a site, and the content of the selected one. */
export function createFontStores(services: Services): readonly Provide[] {
  const { navigation } = services
  const bridge = whileShown(services.bridge, navigation, ['fonts'])
  const fonts = createFonts(bridge)
  const snapshot = createSnapshot(bridge)
  followOn(navigation, ['fonts'], (site, { snapshotId }) => {
    fonts.getState().show(site)
    snapshot.getState().show(site, snapshotId)
  })
  return [
    provideFonts(fonts),
    provideSnapshot(snapshot),
    provideFontUsage(createUsage(bridge)),
    provideFontDifference(createDifference(bridge)),
  ]
}

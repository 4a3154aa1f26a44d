import { FontsPane } from '../../features/fonts/fonts-pane.tsx'
import { SnapshotPane } from '../../features/fonts/snapshot-pane.tsx'
import { createDifference, createFonts, createSnapshot, createUsage } from '../../features/fonts/store.ts'
import { itemsOf } from '../../bridge/answers.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import type { Services } from '../../domain/services.ts'
import { useCopy } from './copy-text.ts'
import { openInspector } from './open-inspector.ts'
import type { Part, Screen } from './screen.ts'

/** The font sets of a site, and everything about the chosen one. */
export function createFontsScreen(services: Services): Screen<'fonts'> {
  const { useNavigation } = services
  const bridge = whileShown(services.bridge, useNavigation, ['fonts'])
  const useFonts = createFonts(bridge)
  const useSnapshot = createSnapshot(bridge)
  const useUsage = createUsage(bridge)
  const useDifference = createDifference(bridge)
  followOn(useNavigation, ['fonts'], (site, { snapshotId }) => {
    useFonts.getState().show(site)
    useSnapshot.getState().show(site, snapshotId)
  })
  return {
    List: function FontList({ view }: Part<'fonts'>) {
      const copy = useCopy(services)
      return (
        <FontsPane
          useFonts={useFonts}
          chosenId={view.snapshotId}
          onChoose={(snapshotId) => useNavigation.getState().choose({ screen: 'fonts', snapshotId })}
          onOpen={() => openInspector(services)}
          onCopy={copy}
        />
      )
    },
    Inspector: function FontInspector({ view }: Part<'fonts'>) {
      const copy = useCopy(services)
      return (
        <SnapshotPane
          snapshotId={view.snapshotId}
          all={itemsOf(useFonts().view)}
          useSnapshot={useSnapshot}
          useUsage={useUsage}
          useDifference={useDifference}
          onCopy={copy}
          onMaterial={(materialId) => useNavigation.getState().go({ screen: 'material', materialId, versionId: null })}
        />
      )
    },
  }
}

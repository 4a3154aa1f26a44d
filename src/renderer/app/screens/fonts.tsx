import { itemsOf } from '../../bridge/answers.ts'
import { useCopy } from '../../domain/copy-text.ts'
import { FontsPane } from '../../features/fonts/fonts-pane.tsx'
import { SnapshotPane } from '../../features/fonts/snapshot-pane.tsx'
import { useFonts } from '../../features/fonts/store.ts'
import { useNavigation } from '../../navigation/navigation.ts'
import { useOpenInspector } from './open-inspector.ts'
import type { Part, Screen } from './screen.ts'

function FontList({ view }: Part<'fonts'>) {
  const choose = useNavigation((state) => state.choose)
  return (
    <FontsPane
      chosenId={view.snapshotId}
      onChoose={(snapshotId) => choose({ screen: 'fonts', snapshotId })}
      onOpen={useOpenInspector()}
      onCopy={useCopy()}
    />
  )
}

function FontInspector({ view }: Part<'fonts'>) {
  const go = useNavigation((state) => state.go)
  return (
    <SnapshotPane
      snapshotId={view.snapshotId}
      all={itemsOf(useFonts().view)}
      onCopy={useCopy()}
      onMaterial={(materialId) => go({ screen: 'material', materialId, versionId: null })}
    />
  )
}

export const fontsScreen: Screen<'fonts'> = { List: FontList, Inspector: FontInspector }

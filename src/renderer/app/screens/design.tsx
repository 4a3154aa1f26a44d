import { DesignPanel } from '../../features/design/design-panel.tsx'
import { useNavigation } from '../../navigation/navigation.ts'
import type { PublishTabParts } from './publish-tab.ts'
import type { Part } from './screen.ts'

function Design({ view }: Part<'publish'>) {
  const choose = useNavigation((state) => state.choose)
  return <DesignPanel chosen={view.itemId} onChoose={(itemId) => choose({ ...view, itemId })} />
}

export const designTab: PublishTabParts = { List: Design, Actions: null, Inspector: null }

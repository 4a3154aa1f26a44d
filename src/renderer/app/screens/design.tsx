import { DesignPanel } from '../../features/design/design-panel.tsx'
import { PreviewButton, PreviewNotice } from '../../features/design/preview.tsx'
import { useNavigation } from '../../navigation/navigation.ts'
import type { PublishTabParts } from './publish-tab.ts'
import type { Part } from './screen.ts'

function Design({ view }: Part<'publish'>) {
  const choose = useNavigation((state) => state.choose)
  return (
    <>
      <PreviewNotice />
      <DesignPanel chosen={view.itemId} onChoose={(itemId) => choose({ ...view, itemId })} />
    </>
  )
}

export const designTab: PublishTabParts = { List: Design, Actions: PreviewButton, Inspector: null }

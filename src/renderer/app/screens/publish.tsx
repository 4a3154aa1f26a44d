import { useTranslation } from 'react-i18next'

import { DesignPanel } from '../../features/design/design-panel.tsx'
import { readerView } from '../../features/pages/reader-view.ts'
import { useChosenPage } from '../../features/pages/store.ts'
import { PreviewPane } from '../../features/preview/preview-pane.tsx'
import { BesideButton, PreviewButton, PreviewNotice } from '../../features/preview/preview.tsx'
import { usePreviews } from '../../features/preview/store.ts'
import { currentSite, useNavigation } from '../../navigation/navigation.ts'
import { hasPreviewBeside, publishTabs } from '../../navigation/view.ts'
import type { PublishTab } from '../../navigation/view.ts'
import { useNow } from '../../ui/now.ts'
import { Pane } from '../../ui/pane.tsx'
import { Split } from '../../ui/split.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useLayout } from '../state/layout.ts'
import { exportsTab } from './exports.tsx'
import { pagesTab } from './pages.tsx'
import type { PublishTabParts } from './publish-tab.ts'
import type { Part, Screen } from './screen.ts'
import { targetsTab } from './targets.tsx'

function Design({ view }: Part<'publish'>) {
  const choose = useNavigation((state) => state.choose)
  return <DesignPanel chosen={view.itemId} onChoose={(itemId) => choose({ ...view, itemId })} />
}

const designTab: PublishTabParts = { List: Design, Actions: null, Inspector: null }

const tabs: Readonly<Record<PublishTab, PublishTabParts>> = {
  pages: pagesTab,
  design: designTab,
  targets: targetsTab,
  exports: exportsTab,
}

function PublishList({ view }: Part<'publish'>) {
  const { t } = useTranslation('publish')
  const goToTab = useNavigation((state) => state.goToTab)
  const hasSite = useNavigation(currentSite) !== null
  const isBeside = usePreviews((state) => state.isBeside)
  const { arrangement, isLow } = useLayout()
  const address = useShownAddress(view)
  const { List, Actions } = tabs[view.tab]
  const isSingle = arrangement === 'single'
  const canBeBeside = hasPreviewBeside(view.tab) && !(isSingle && isLow)
  const actions = (
    <>
      {hasSite && canBeBeside && <BesideButton />}
      {hasSite && <PreviewButton />}
      {Actions && <Actions />}
    </>
  )
  return (
    <Split
      name={isSingle ? 'preview:below' : 'preview'}
      orientation={isSingle ? 'vertical' : 'horizontal'}
      main={
        <Pane name="list" title={t('title')} actions={actions}>
          <PreviewNotice />
          <Tabs
            isFilled
            label={t('title')}
            chosen={view.tab}
            onChoose={goToTab}
            tabs={publishTabs.map((key) => ({ key, title: t(`tabs.${key}`), panel: () => <List view={view} /> }))}
          />
        </Pane>
      }
      side={isBeside && canBeBeside ? <PreviewPane address={address} /> : null}
      mainMin={isSingle ? 160 : 320}
      sideSize={isSingle ? 320 : 440}
      sideMin={isSingle ? 160 : 280}
    />
  )
}

/** The address that the preview shows: of the chosen page, or else of the home page; null: readers will not see that page. */
function useShownAddress({ tab, itemId }: Part<'publish'>['view']): string | null {
  const { view } = useChosenPage()
  const nowMs = useNow()
  if (tab !== 'pages' || itemId === null || view.kind !== 'ready' || view.items.page.materialId !== itemId) return ''
  const { page, publishing } = view.items
  const { kind } = readerView(page, nowMs)
  if (kind !== 'published' && kind !== 'hidden') return null
  return publishing.home === page.materialId ? '' : page.address
}

function PublishInspector({ view }: Part<'publish'>) {
  const { Inspector } = tabs[view.tab]
  return Inspector && <Inspector view={view} />
}

export const publishScreen: Screen<'publish'> = {
  List: PublishList,
  Inspector: PublishInspector,
  hasInspector: ({ tab }) => tabs[tab].Inspector !== null,
}

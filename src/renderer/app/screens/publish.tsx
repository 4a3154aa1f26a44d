import { useTranslation } from 'react-i18next'

import { PreviewButton, PreviewNotice } from '../../features/preview/preview.tsx'
import { currentSite, useNavigation } from '../../navigation/navigation.ts'
import { publishTabs } from '../../navigation/view.ts'
import type { PublishTab } from '../../navigation/view.ts'
import { Pane } from '../../ui/pane.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { designTab } from './design.tsx'
import { exportsTab } from './exports.tsx'
import { pagesTab } from './pages.tsx'
import type { PublishTabParts } from './publish-tab.ts'
import { targetsTab } from './targets.tsx'
import type { Part, Screen } from './screen.ts'

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
  const { List, Actions } = tabs[view.tab]
  const actions = (
    <>
      {hasSite && <PreviewButton />}
      {Actions && <Actions />}
    </>
  )
  return (
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
  )
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

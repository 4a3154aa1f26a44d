import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { titleOf } from '../../domain/material-title.ts'
import { PageDialogs } from '../../features/pages/dialogs.tsx'
import { PageDetail } from '../../features/pages/page-detail.tsx'
import type { PageHandlers } from '../../features/pages/page-menu.ts'
import { PagesList } from '../../features/pages/pages-list.tsx'
import { useChosenPage } from '../../features/pages/store.ts'
import { usePageActions } from '../../features/pages/stores.ts'
import { useNavigation } from '../../navigation/navigation.ts'
import { Message } from '../../ui/message.tsx'
import { Pane } from '../../ui/pane.tsx'
import { useOpenInspector } from './open-inspector.ts'
import type { PublishTabParts } from './publish-tab.ts'
import type { Part } from './screen.ts'

function PageTable({ view }: Part<'publish'>) {
  const { go, choose } = useNavigation()
  const actions = usePageActions()
  const openInspector = useOpenInspector()
  const handlers = useMemo((): PageHandlers => {
    const select = (itemId: string): void => choose({ screen: 'publish', tab: 'pages', itemId })
    return {
      ...actions,
      choose: select,
      open: (materialId) => {
        select(materialId)
        openInspector()
      },
      showMaterial: (materialId) => go({ screen: 'materials', materialId }),
    }
    // `openInspector` is a new function in every render, and always does the same.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [actions, choose, go])
  return (
    <>
      <PagesList
        chosenId={view.itemId}
        handlers={handlers}
        onShowMaterials={() => go({ screen: 'materials', materialId: null })}
      />
      <PageDialogs />
    </>
  )
}

function PageInspector({ view }: Part<'publish'>) {
  const { t } = useTranslation('pages')
  const go = useNavigation((state) => state.go)
  const { view: chosen } = useChosenPage()
  const title = chosen.kind === 'ready' && view.itemId !== null ? titleOf(chosen.items.page) : t('detail')
  return (
    <Pane name="inspector" level={2} title={title}>
      {view.itemId === null ? (
        <Message text={t('noneSelected')} />
      ) : (
        <PageDetail onShowMaterial={(materialId) => go({ screen: 'materials', materialId })} />
      )}
    </Pane>
  )
}

export const pagesTab: PublishTabParts = { List: PageTable, Actions: null, Inspector: PageInspector }

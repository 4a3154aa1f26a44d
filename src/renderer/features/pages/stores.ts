import type { PageState } from '@galley/library/records'
import type { Result } from '@galley/wire'

import type { CallProblem } from '../../../ipc/calls.ts'
import type { Command } from '../../commands/commands.ts'
import type { Provide } from '../../context/provided.ts'
import { createProvided } from '../../context/provided.ts'
import { addUndoable, succeeded } from '../../domain/call-toasts.ts'
import type { Services } from '../../domain/services.ts'
import { followOn, currentSite, currentView } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import type { PageHandlers } from './page-menu.ts'
import { createChosenPage, createSitePages, provideChosenPage, providePageRows, provideSitePages } from './store.ts'

/** Changes of pages from the table, its menus and by keys. */
type PageActions = Pick<PageHandlers, 'change' | 'editTags' | 'editLanguage'>

const [usePageActions, providePageActions] = createProvided<PageActions>('actions of pages')
export { usePageActions }

/** The pages of a site, the selected one, and the commands that change them. */
export function createPageStores(services: Services): {
  readonly provided: readonly Provide[]
  readonly load: () => Promise<void>
} {
  const { navigation, commands } = services
  const bridge = whileShown(services.bridge, navigation, ['publish'])
  const { pages, pageRows } = createSitePages(bridge, (changed) =>
    offerUndo(services, changed.count, () => pages.getState().restore(changed.site, changed.before)),
  )
  const chosenPage = createChosenPage(bridge)
  followOn(navigation, ['publish'], (site, { tab, itemId }) => {
    if (tab !== 'pages') return
    pages.getState().show(site)
    chosenPage.getState().show(site === null || itemId === null ? null : { site, materialId: itemId })
  })
  const edit: PageActions = {
    change: (materialIds, changes) =>
      void pages
        .getState()
        .change(materialIds, changes)
        .then((done) => succeeded(services, services.texts.t('pages:done.failed'), done)),
    editTags: (materialIds) => pages.getState().setDialog({ kind: 'tags', materialIds }),
    editLanguage: (materialIds) => pages.getState().setDialog({ kind: 'language', materialIds }),
  }
  /** The selected rows, or else the one that the inspector shows. */
  const picked = (): readonly string[] => {
    const view = currentView(navigation.getState())
    if (view.screen !== 'publish' || view.tab !== 'pages') return []
    const { selected } = pages.getState()
    return selected.size > 0 ? [...selected] : view.itemId === null ? [] : [view.itemId]
  }
  const isAvailable = (): boolean => picked().length > 0
  const stateCommand = (id: 'page.draft' | 'page.publish' | 'page.hide', state: PageState): Command => ({
    id,
    group: 'publish',
    title: (t) => t(`pages:commands.${id === 'page.draft' ? 'draft' : id === 'page.publish' ? 'publish' : 'hide'}`),
    isAvailable,
    run: () => edit.change(picked(), { state }),
  })
  commands.getState().register([
    {
      id: 'page.tags',
      group: 'publish',
      title: (t) => t('pages:commands.tags'),
      isAvailable,
      run: () => edit.editTags(picked()),
    },
    stateCommand('page.draft', 'draft'),
    stateCommand('page.publish', 'published'),
    stateCommand('page.hide', 'hidden'),
    {
      id: 'page.settings',
      group: 'materials',
      title: (t) => t('pages:commands.settings'),
      isAvailable: () => shownMaterial(services) !== null,
      run: () => {
        const itemId = shownMaterial(services)
        if (itemId !== null) navigation.getState().go({ screen: 'publish', tab: 'pages', itemId })
      },
    },
  ])
  return {
    provided: [
      provideSitePages(pages),
      providePageRows(pageRows),
      provideChosenPage(chosenPage),
      providePageActions(edit),
    ],
    load: async () => {
      if (currentSite(navigation.getState()) !== null)
        await Promise.all([pages.getState().load(), chosenPage.getState().load()])
    },
  }
}

function shownMaterial({ navigation }: Pick<Services, 'navigation'>): string | null {
  const view = currentView(navigation.getState())
  return view.screen === 'materials' || view.screen === 'material' ? view.materialId : null
}

/** Reports that several pages were changed, and offers to undo it. */
function offerUndo(services: Services, count: number, undo: () => Promise<Result<unknown, CallProblem>>): void {
  const { texts, toasts } = services
  const t = texts.getFixedT(texts.language, 'pages')
  addUndoable(services, t('done.changed', { count }), () => {
    void undo().then(
      (done) => succeeded(services, t('done.failed'), done) && toasts.add({ title: t('done.undone', { count }) }),
    )
  })
}

import type { CallbackId } from '@galley/wire'
import type { StoreApi } from 'zustand'

import { createProvided } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { currentView } from '../../navigation/navigation.ts'
import type { ListState } from './store.ts'

/** Callback actions, run by shortcut, palette or menu. */
export interface CallbackActions {
  readonly replay: (callbackId: CallbackId, isDryRun: boolean) => void
  readonly copyReport: (callbackId: CallbackId) => void
  readonly exportList: (format: 'csv' | 'json') => void
  readonly openDoctor: () => void
}

export const [useCallbackActions, provideCallbackActions] = createProvided<CallbackActions>('actions of callbacks')

/** Callback commands: some act on the selected callback, the others on the list. */
export function registerCallbackCommands(
  { commands, navigation }: Services,
  list: StoreApi<ListState>,
  { replay, copyReport, exportList, openDoctor }: CallbackActions,
): void {
  const chosenId = (): string | null => {
    const view = currentView(navigation.getState())
    return view.screen === 'delivery' ? view.callbackId : null
  }
  const isShown = (): boolean => currentView(navigation.getState()).screen === 'delivery'
  const onChosen = (run: (id: string) => void) => ({
    isAvailable: () => chosenId() !== null,
    run: () => {
      const id = chosenId()
      if (id !== null) run(id)
    },
  })
  commands.getState().register([
    {
      id: 'callback.dryRun',
      group: 'delivery',
      title: (t) => t('callbacks:commands.dryRun'),
      ...onChosen((id) => replay(id, true)),
    },
    {
      id: 'callback.replay',
      group: 'delivery',
      title: (t) => t('callbacks:commands.replay'),
      ...onChosen((id) => replay(id, false)),
    },
    {
      id: 'callback.copyReport',
      group: 'delivery',
      title: (t) => t('callbacks:commands.copyReport'),
      ...onChosen(copyReport),
    },
    {
      id: 'callbacks.showNew',
      group: 'delivery',
      title: (t) => t('callbacks:commands.showNew'),
      isAvailable: () => isShown() && list.getState().newer > 0,
      run: () => void list.getState().showNew(),
    },
    {
      id: 'callbacks.exportCsv',
      group: 'delivery',
      title: (t) => t('callbacks:commands.exportCsv'),
      isAvailable: isShown,
      run: () => exportList('csv'),
    },
    {
      id: 'callbacks.exportJson',
      group: 'delivery',
      title: (t) => t('callbacks:commands.exportJson'),
      isAvailable: isShown,
      run: () => exportList('json'),
    },
    {
      id: 'callbacks.doctor',
      group: 'delivery',
      title: (t) => t('callbacks:commands.doctor'),
      isAvailable: isShown,
      run: openDoctor,
    },
  ])
}

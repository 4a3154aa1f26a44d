import type { CommandId } from '@galley/library/records'
import type { StoreApi } from 'zustand'

import type { Command } from '../../commands/commands.ts'
import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { followOn, currentSite, currentView } from '../../navigation/navigation.ts'
import { publishTabs } from '../../navigation/view.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { createRun, provideRun } from './run.ts'
import type { RunState } from './run.ts'
import { createHistory, createTargets, provideHistory, provideTargets } from './store.ts'
import type { TargetsState } from './store.ts'

/** The targets of a site and its publications, and the commands that show a tab of the publish section or publish. */
export function createPublishStores(services: Services): readonly Provide[] {
  const { navigation, commands } = services
  const bridge = whileShown(services.bridge, navigation, ['publish'])
  const targets = createTargets(bridge)
  const run = createRun(services.bridge)
  followOn(navigation, ['publish'], (site) => targets.getState().show(site))
  const hasSite = (): boolean => currentSite(navigation.getState()) !== null
  commands.getState().register([
    ...publishTabs.map((tab): Command => ({
      id: `publish.${tab}` satisfies CommandId,
      group: 'publish',
      title: (t) => t('publish:command', { tab: t(`publish:tabs.${tab}`) }),
      run: () => navigation.getState().goToTab(tab),
    })),
    {
      id: 'publish.site',
      group: 'publish',
      title: (t) => t('publish:commands.publish'),
      isAvailable: hasSite,
      run: () => void publishSite(services, targets, run),
    },
    {
      id: 'publish.newTarget',
      group: 'publish',
      title: (t) => t('publish:commands.newTarget'),
      isAvailable: hasSite,
      run() {
        navigation.getState().goToTab('targets')
        targets.getState().open({ kind: 'add' })
      },
    },
  ])
  return [provideTargets(targets), provideHistory(createHistory(bridge)), provideRun(run)]
}

/** Plans a publication to the chosen target, or the only one; otherwise shows the targets to choose from. */
async function publishSite(
  { navigation }: Services,
  targets: StoreApi<TargetsState>,
  run: StoreApi<RunState>,
): Promise<void> {
  navigation.getState().goToTab('targets')
  await targets.getState().load()
  const { site, view } = targets.getState()
  if (site === null || view.kind !== 'ready') return
  const now = currentView(navigation.getState())
  const chosen = now.screen === 'publish' ? now.itemId : null
  const target = view.items.find(({ name }) => name === chosen) ?? (view.items.length === 1 ? view.items[0] : undefined)
  if (view.items.length === 0) targets.getState().open({ kind: 'add' })
  if (target?.isConfirmed === true) run.getState().open({ site, target: target.name, release: null })
}

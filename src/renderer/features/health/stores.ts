import type { StoreApi } from 'zustand'

import type { Command } from '../../commands/commands.ts'
import type { Services } from '../../domain/services.ts'
import { currentSite } from '../../navigation/navigation.ts'
import { createHealth } from './store.ts'
import type { HealthState } from './store.ts'

type HealthCommand = 'check' | 'backUp' | 'restore' | 'collect' | 'testCallback' | 'openFolder'

/** Library health and its maintenance commands. */
export function createHealthStore({ bridge, navigation, commands }: Services): StoreApi<HealthState> {
  const health = createHealth(bridge)
  const { goToSection } = navigation.getState()
  /** A command that shows the screen and then runs. */
  const here = (name: HealthCommand, run: (state: HealthState) => void): Command => ({
    id: `health.${name}`,
    group: 'delivery',
    title: (t) => t(`health:commands.${name}`),
    run: () => {
      goToSection('delivery')
      const state = health.getState()
      state.showAll(true)
      run(state)
    },
  })
  const siteNow = (): string | null => currentSite(navigation.getState())
  commands.getState().register([
    here('check', ({ check }) => void check(false)),
    here('backUp', ({ backUp }) => void backUp()),
    here('restore', ({ askRestore }) => askRestore()),
    here('collect', ({ collect }) => void collect(true)),
    {
      ...here('testCallback', ({ testReach }) => {
        const site = siteNow()
        if (site !== null) void testReach(site)
      }),
      isAvailable: () => siteNow() !== null,
    },
    here('openFolder', ({ openFolder }) => void openFolder()),
  ])
  return health
}

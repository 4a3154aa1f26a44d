import type { StoreApi } from 'zustand'

import type { Command } from '../../commands/commands.ts'
import type { Services } from '../../domain/services.ts'
import { createHealth } from '../../features/health/store.ts'
import type { HealthState } from '../../features/health/store.ts'
import { siteIn } from '../../features/sites/store.ts'
import type { SitesState } from '../../features/sites/store.ts'
import { currentSite } from '../../navigation/navigation.ts'

type HealthCommand = 'check' | 'backUp' | 'restore' | 'collect' | 'testCallback' | 'openFolder'

/** Library health and its maintenance commands. */
export function createHealthStore(
  { bridge, navigation, commands }: Services,
  sites: StoreApi<SitesState>,
): StoreApi<HealthState> {
  const health = createHealth(bridge)
  // Sites are reloaded after every save, but only a new callback URL invalidates the test result.
  sites.subscribe((now, before) => {
    const { reach, forgetReach } = health.getState()
    if (reach.kind === 'untested') return
    const [is, was] = [now, before].map((state) => siteIn(state, reach.site)?.callbackUrl)
    if (is !== was) forgetReach()
  })
  const { goToSection } = navigation.getState()
  /** A command that shows the screen and then runs. */
  const here = (name: HealthCommand, run: (state: HealthState) => void): Command => ({
    id: `health.${name}`,
    group: 'health',
    title: (t) => t(`health:commands.${name}`),
    run: () => {
      goToSection('health')
      run(health.getState())
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

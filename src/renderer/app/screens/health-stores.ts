import type { StoreApi } from 'zustand'

import { createHealth } from '../../features/health/store.ts'
import type { HealthState } from '../../features/health/store.ts'
import { siteIn } from '../../features/sites/store.ts'
import type { SitesState } from '../../features/sites/store.ts'
import { currentSite } from '../../navigation/navigation.ts'
import type { Services } from '../state/services.ts'

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
  commands.getState().register([
    {
      id: 'health.check',
      group: 'health',
      title: (t) => t('health:commands.check'),
      run: () => {
        goToSection('health')
        void health.getState().check(false)
      },
    },
    {
      id: 'health.backUp',
      group: 'health',
      title: (t) => t('health:commands.backUp'),
      run: () => {
        goToSection('health')
        void health.getState().backUp()
      },
    },
    {
      id: 'health.restore',
      group: 'health',
      title: (t) => t('health:commands.restore'),
      run: () => {
        goToSection('health')
        health.getState().askRestore()
      },
    },
    {
      id: 'health.collect',
      group: 'health',
      title: (t) => t('health:commands.collect'),
      run: () => {
        goToSection('health')
        void health.getState().collect(true)
      },
    },
    {
      id: 'health.testCallback',
      group: 'health',
      title: (t) => t('health:commands.testCallback'),
      isAvailable: () => currentSite(navigation.getState()) !== null,
      run: () => {
        const site = currentSite(navigation.getState())
        goToSection('health')
        if (site !== null) void health.getState().testReach(site)
      },
    },
    {
      id: 'health.openFolder',
      group: 'health',
      title: (t) => t('health:commands.openFolder'),
      run: () => {
        goToSection('health')
        void health.getState().openFolder()
      },
    },
  ])
  return health
}

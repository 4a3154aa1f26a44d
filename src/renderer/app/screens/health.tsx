import { HealthPane } from '../../features/health/health-pane.tsx'
import type { HealthWays } from '../../features/health/line.tsx'
import { watchHealth } from '../../features/health/watch-health.ts'
import { createHealth } from '../../features/health/store.ts'
import { siteIn } from '../../features/sites/store.ts'
import type { createSites } from '../../features/sites/store.ts'
import { siteNow } from '../../navigation/navigation.ts'
import type { Services } from '../../domain/services.ts'
import type { Screen } from './screen.ts'

/** What has to be right for saves to arrive and stay, each with what mends it. */
export function createHealthScreen(
  { bridge, useNavigation, useCommands, toasts }: Services,
  useSites: ReturnType<typeof createSites>,
): Screen<'health'> {
  const useHealth = createHealth(bridge)
  // Every save makes the sites be read again: only another callback URL takes away what was tested.
  useSites.subscribe((now, before) => {
    const { reach, forgetReach } = useHealth.getState()
    if (reach.kind === 'untested') return
    const [is, was] = [now, before].map((sites) => siteIn(sites, reach.site)?.callbackUrl)
    if (is !== was) forgetReach()
  })
  const { go, goToSection } = useNavigation.getState()
  const ways: Omit<HealthWays, 'editSite'> = {
    toListenerSettings: () => go({ screen: 'settings', section: 'listener' }),
    toStorageSettings: () => go({ screen: 'settings', section: 'storage' }),
    toCallbacks: () => goToSection('callbacks'),
    toLog: () => void useCommands.getState().run('help.log'),
    copyDiagnostics: () => void useCommands.getState().run('help.diagnostics'),
  }
  const watch = (look: () => void) => watchHealth(bridge, look)
  useCommands.getState().register([
    {
      id: 'health.check',
      group: 'health',
      title: (t) => t('health:commands.check'),
      run: () => {
        goToSection('health')
        void useHealth.getState().check(false)
      },
    },
    {
      id: 'health.backUp',
      group: 'health',
      title: (t) => t('health:commands.backUp'),
      run: () => {
        goToSection('health')
        void useHealth.getState().backUp()
      },
    },
    {
      id: 'health.restore',
      group: 'health',
      title: (t) => t('health:commands.restore'),
      run: () => {
        goToSection('health')
        useHealth.getState().askRestore()
      },
    },
    {
      id: 'health.collect',
      group: 'health',
      title: (t) => t('health:commands.collect'),
      run: () => {
        goToSection('health')
        void useHealth.getState().collect(true)
      },
    },
    {
      id: 'health.testCallback',
      group: 'health',
      title: (t) => t('health:commands.testCallback'),
      isAvailable: () => siteNow(useNavigation.getState()) !== null,
      run: () => {
        const site = siteNow(useNavigation.getState())
        goToSection('health')
        if (site !== null) void useHealth.getState().testReach(site)
      },
    },
    {
      id: 'health.openFolder',
      group: 'health',
      title: (t) => t('health:commands.openFolder'),
      run: () => {
        goToSection('health')
        void useHealth.getState().openFolder()
      },
    },
  ])
  return {
    List: function HealthList() {
      const sites = useSites()
      const site = siteIn(sites, useNavigation(siteNow))
      const editSite = (): void => {
        if (site !== null) sites.show({ kind: 'edit', site })
      }
      return <HealthPane useHealth={useHealth} site={site} ways={{ ...ways, editSite }} watch={watch} toasts={toasts} />
    },
    Inspector: null,
    refresh: () => void useHealth.getState().lookAgain(),
  }
}

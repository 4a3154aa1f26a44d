import { useCommands } from '../../commands/commands.ts'
import { HealthPane } from '../../features/health/health-pane.tsx'
import type { HealthHandlers } from '../../features/health/line.tsx'
import { siteIn, useSites } from '../../features/sites/store.ts'
import { currentSite, useNavigation } from '../../navigation/navigation.ts'
import { useMaterialActions } from './material-actions.ts'
import type { Screen } from './screen.ts'

function HealthList() {
  const sites = useSites()
  const site = siteIn(sites, useNavigation(currentSite))
  const go = useNavigation((state) => state.go)
  const goToSection = useNavigation((state) => state.goToSection)
  const run = useCommands((state) => state.run)
  const { checkSignature, dismissUnsigned } = useMaterialActions().saves
  const handlers: HealthHandlers = {
    toListenerSettings: () => go({ screen: 'settings', section: 'listener' }),
    toStorageSettings: () => go({ screen: 'settings', section: 'storage' }),
    toLibrarySettings: () => go({ screen: 'settings', section: 'library' }),
    toCallbacks: () => goToSection('callbacks'),
    toCallbacksOf: (id) => go({ screen: 'callbacks', callbackId: null }, id),
    checkSignature: (id, callbackId) => checkSignature(callbackId, id),
    dismissUnsigned,
    confirmSite: (id) => void sites.confirm(id),
    enterSecret: (id) => {
      const site = siteIn(sites, id)
      if (site !== null) sites.show({ kind: 'edit', site })
    },
    toLog: () => void run('help.log'),
    copyDiagnostics: () => void run('help.diagnostics'),
    editSite: () => {
      if (site !== null) sites.show({ kind: 'edit', site })
    },
  }
  return <HealthPane site={site} handlers={handlers} />
}

/** Everything saves depend on, each with its fix. */
export const healthScreen: Screen<'health'> = { List: HealthList, Inspector: null }

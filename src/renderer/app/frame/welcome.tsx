import { useCommands } from '../../commands/commands.ts'
import { FirstRun } from '../../features/first-run/first-run.tsx'
import { useListener } from '../../features/listener/store.ts'
import { siteIn, useSites } from '../../features/sites/store.ts'
import { currentSite, useNavigation } from '../../navigation/navigation.ts'

/** First-run setup, wired to the site form, the listener and the first material. */
export function Welcome() {
  const sites = useSites()
  const site = siteIn(sites, useNavigation(currentSite))
  const go = useNavigation((state) => state.go)
  const run = useCommands((state) => state.run)
  const { state, start } = useListener()
  return (
    <FirstRun
      site={site}
      listener={state}
      onAddSite={() => sites.show({ kind: 'add' })}
      onEditSite={(shown) => sites.show({ kind: 'edit', site: shown })}
      onStartListener={() => void start()}
      onListenerSettings={() => go({ screen: 'settings', section: 'listener' })}
      onNewMaterial={() => run('material.new')}
    />
  )
}

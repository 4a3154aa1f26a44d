import { FirstRun } from '../../features/first-run/first-run.tsx'
import { siteIn } from '../../features/sites/store.ts'
import { siteNow } from '../../navigation/navigation.ts'
import type { Stores } from '../stores.ts'

/** The first run, given what it leads to: the site form, the listener, the first material. */
export function Welcome({ stores }: { readonly stores: Stores }) {
  const { useFirstRun, useSites, useNavigation, useListener, useCommands } = stores
  const site = siteIn(useSites(), useNavigation(siteNow))
  const { state, start } = useListener()
  return (
    <FirstRun
      useFirstRun={useFirstRun}
      site={site}
      listener={state}
      onAddSite={() => useSites.getState().show({ kind: 'add' })}
      onEditSite={(shown) => useSites.getState().show({ kind: 'edit', site: shown })}
      onStartListener={() => void start()}
      onListenerSettings={() => useNavigation.getState().go({ screen: 'settings', section: 'listener' })}
      onNewMaterial={() => useCommands.getState().run('material.new')}
    />
  )
}

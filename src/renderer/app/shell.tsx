import { useEffect, useRef } from 'react'

import type { Bridge } from '../../contract/ipc.ts'
import { ListenerBanner, ListenerPill } from '../features/listener/listener-parts.tsx'
import { NoSites, SiteDialogs, SiteNotice, SiteTitle } from '../features/sites/site-parts.tsx'
import { texts } from '../texts.ts'
import { Boundary } from '../ui/boundary.tsx'
import { isMac } from '../ui/modifier.ts'
import { Screen } from './screen.tsx'
import { shortcutOf } from './shortcuts.ts'
import { Sidebar } from './sidebar.tsx'
import { StatusBar } from './status-bar.tsx'
import type { Stores } from './stores.ts'
import styles from './shell.module.css'

interface Props {
  readonly stores: Stores
  readonly bridge: Bridge
}

/** The window: bar, sidebar, the view of the selected site, status bar. */
export function Shell({ stores, bridge }: Props) {
  const search = useRef<HTMLInputElement>(null)
  const go = stores.useNavigation((state) => state.go)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const shortcut = shortcutOf(event, isMac)
      // A dialog is modal: the view behind it stays as it is.
      if (shortcut === null || document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      if (shortcut.kind === 'go') go(shortcut.view)
      else search.current?.select()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [go])

  const hasNoSite = stores.useSites(({ view }) => view.kind === 'ready' && view.items.length === 0)
  const selectedId = stores.useSites((state) => state.selectedId)
  return (
    <div className={styles.shell}>
      <header className={styles.top}>
        <SiteTitle useSites={stores.useSites} />
        <ListenerPill useListener={stores.useListener} />
      </header>
      <Sidebar stores={stores} />
      <main className={styles.main}>
        <ListenerBanner useListener={stores.useListener} />
        <SiteNotice useSites={stores.useSites} />
        <Boundary {...texts.paneBroken}>
          {hasNoSite && <NoSites useSites={stores.useSites} />}
          {selectedId !== null && <Screen stores={stores} searchRef={search} />}
        </Boundary>
      </main>
      <StatusBar bridge={bridge} useCallbacks={stores.useCallbacks} />
      <SiteDialogs useSites={stores.useSites} />
    </div>
  )
}

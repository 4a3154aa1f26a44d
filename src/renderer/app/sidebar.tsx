import { Files, Type, Webhook } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'

import { SiteList } from '../features/sites/site-list.tsx'
import { texts } from '../texts.ts'
import { isMac, modifier } from '../ui/modifier.ts'
import { viewNames } from './navigation.ts'
import type { ViewName } from './navigation.ts'
import type { Stores } from './stores.ts'
import styles from './shell.module.css'

const icons: Readonly<Record<ViewName, LucideIcon>> = { materials: Files, callbacks: Webhook, fonts: Type }

/** Which site, and which view of it. */
export function Sidebar({ stores }: { readonly stores: Stores }) {
  const { view, go } = stores.useNavigation()
  const hasSite = stores.useSites(({ selectedId }) => selectedId !== null)
  return (
    <div className={styles.side}>
      <SiteList useSites={stores.useSites} />
      {hasSite && (
        <nav aria-label={texts.viewsLabel} className={styles.views}>
          {viewNames.map((name, at) => {
            const Icon = icons[name]
            return (
              <button
                key={name}
                type="button"
                className={styles.view}
                title={texts.views[name]}
                aria-current={name === view ? 'page' : undefined}
                aria-keyshortcuts={`${isMac ? 'Meta' : 'Control'}+${at + 1}`}
                onClick={() => go(name)}
              >
                <Icon size={16} aria-hidden />
                <span className={styles.label}>{texts.views[name]}</span>
                <kbd aria-hidden>{`${modifier} ${at + 1}`}</kbd>
              </button>
            )
          })}
        </nav>
      )}
    </div>
  )
}

import { Plus } from 'lucide-react'

import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { createSites } from './store.ts'
import styles from './site-list.module.css'

const words = texts.sites

/** The sites in the sidebar, production told apart by word, shape and colour; folded, each is its two letters. */
export function SiteList({ useSites }: { readonly useSites: ReturnType<typeof createSites> }) {
  const { view, selectedId, select, show, load } = useSites()
  return (
    <nav aria-label={words.title} className={styles.sites}>
      <div className={styles.bar}>
        <h2 className={styles.heading}>{words.title}</h2>
        <Button look="quiet" icon={Plus} isIconOnly onClick={() => show({ kind: 'add' })}>
          {words.add}
        </Button>
      </div>
      {view.kind === 'loading' && <Skeleton label={texts.loading} rows={2} />}
      {view.kind === 'failed' && (
        <div role="alert" className={styles.failed}>
          <p>{view.reason}</p>
          <Button onClick={() => void load()}>{texts.retry}</Button>
        </div>
      )}
      {view.kind === 'ready' && (
        <ul className={styles.list}>
          {view.items.map((site) => (
            <li key={site.id}>
              <button
                type="button"
                className={styles.site}
                aria-current={site.id === selectedId ? 'true' : undefined}
                title={`${site.name} (${words.environmentNames[site.environment]})`}
                onClick={() => select(site.id)}
              >
                <span className={`${styles.letters} ${styles[site.environment]}`} aria-hidden>
                  {site.name.slice(0, 2)}
                </span>
                <span className={styles.name}>{site.name}</span>
                <span className={`${styles.environment} ${styles[site.environment]}`}>
                  {words.environments[site.environment]}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </nav>
  )
}

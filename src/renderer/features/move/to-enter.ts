import { isSampleSite } from '@galley/library/records'
import type { SiteSummary } from '@galley/library/records'

import type { TargetRow } from '../../../ipc/publishing.ts'

/** What a backup does not have, and a new computer therefore needs again. */
export interface ToEnter {
  readonly site: SiteSummary
  /** What has to be entered, in the order in which it is needed; `name` is that of a target. */
  readonly what: readonly (
    | { readonly kind: 'addresses' | 'secret' | 'callbackAuth' | 'bucketKeys'; readonly isDone: boolean }
    | { readonly kind: 'target'; readonly name: string; readonly isDone: boolean }
  )[]
}

/** The checklist of a move: addresses to confirm, secrets and credentials to enter, for each site but the sample. */
export const toEnter = (
  sites: readonly SiteSummary[],
  targets: Readonly<Record<string, readonly Pick<TargetRow, 'name' | 'place' | 'credentials'>[]>>,
): readonly ToEnter[] =>
  sites
    .filter((site) => !isSampleSite(site))
    .map((site) => ({
      site,
      what: [
        { kind: 'addresses', isDone: site.isConfirmed },
        { kind: 'secret', isDone: site.secret === 'stored' },
        // They are made anew when the site is saved there.
        ...(site.callbackAuth === 'none' ? [] : [{ kind: 'callbackAuth', isDone: site.secret === 'stored' } as const]),
        ...(site.bucketKeys === null
          ? []
          : [
              {
                kind: 'bucketKeys',
                isDone: site.bucketKeys === 'stored' || site.bucketKeys === 'environment',
              } as const,
            ]),
        // A folder needs none.
        ...(targets[site.id] ?? [])
          .filter(({ place }) => place.kind !== 'folder')
          .map(({ name, credentials }) => ({ kind: 'target' as const, name, isDone: credentials === 'stored' })),
      ],
    }))

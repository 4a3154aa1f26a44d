import type { Cause } from '@galley/wire'

import type { Release } from './feed.ts'
import { compareVersions } from './feed.ts'
import type { Notes } from './notes.ts'

/** Why nothing is checked: a development runtime, a package without an address, GALLEY_NO_UPDATES, or the switch in Settings. */
export type Off = 'development' | 'not_set' | 'environment' | 'settings'

/** A newer version. */
export interface Offer {
  readonly version: string
  readonly date: string
  readonly news: { readonly en: string; readonly ru: string }
  readonly isSkipped: boolean
  /** `named`: this app does not install it, the package manager does. `ready`: it is installed at the next quit. */
  readonly step: 'named' | 'offered' | 'loading' | 'ready'
  /** Of the download, from 0 to 1. */
  readonly done: number
}

export interface UpdateState {
  readonly version: string
  /** null: it is checked once a day. */
  readonly off: Off | null
  readonly checkedAt: string | null
  /** Why the last check, download or installation failed. */
  readonly problem: Cause | null
  readonly offer: Offer | null
}

interface Facts {
  readonly version: string
  readonly off: Off | null
  readonly notes: Notes
  readonly release: Release | null
  readonly canInstall: boolean
  readonly loading: { readonly version: string; readonly done: number } | null
  readonly ready: string | null
}

export function stateOf({ version, off, notes, release, canInstall, loading, ready }: Facts): UpdateState {
  const isNewer = release !== null && compareVersions(release.version, version) > 0
  const step = (of: Release): Offer['step'] =>
    !canInstall ? 'named' : ready === of.version ? 'ready' : loading?.version === of.version ? 'loading' : 'offered'
  return {
    version,
    off,
    checkedAt: notes.checkedAt,
    problem: notes.problem,
    offer: isNewer
      ? {
          version: release.version,
          date: release.date,
          news: release.news,
          isSkipped: notes.skipped === release.version,
          step: step(release),
          done: loading?.done ?? 0,
        }
      : null,
  }
}

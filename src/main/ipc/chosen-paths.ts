import { randomUUID } from 'node:crypto'
import type { SiteId } from '@galley/wire'

import type { ChosenPath } from '../../ipc/call.ts'

/** The purpose of a chosen path, and its site. A token is valid only for that. */
export interface Purpose {
  readonly what:
    | 'export-folder'
    | 'export-zip'
    | 'publish-folder'
    | 'target-folder'
    | 'target-key'
    | 'restore-file'
    | 'restore-folder'
    | 'team-folder'
  readonly site: SiteId
}

/** The number of paths to keep. Older ones are dropped. */
const keptAtMost = 200

/**
 * The paths that a person has chosen in dialogs of main, in this session. Windows get unguessable tokens for them, so that a
 * compromised window cannot read or write any other path.
 */
export function createChosenPaths() {
  const chosen = new Map<string, Purpose & { readonly path: string }>()
  return {
    keep({ what, site }: Purpose, path: string): ChosenPath {
      const token = randomUUID()
      chosen.set(token, { what, site, path })
      for (const oldest of [...chosen.keys()].slice(0, -keptAtMost)) chosen.delete(oldest)
      return { token, path }
    },
    /** null: the token is unknown, or was issued for another purpose. */
    find({ what, site }: Purpose, token: string): string | null {
      const found = chosen.get(token)
      return found?.what === what && found.site === site ? found.path : null
    },
  }
}

export type ChosenPaths = ReturnType<typeof createChosenPaths>

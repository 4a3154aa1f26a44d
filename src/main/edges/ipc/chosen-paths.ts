import { randomUUID } from 'node:crypto'

import type { ChosenPath } from '../../../contract/ipc/chosen-path.ts'

/** What a place was chosen for, and for which site; a token is good for that alone. */
export interface Purpose {
  readonly what:
    | 'export-folder'
    | 'export-zip'
    | 'publish-folder'
    | 'target-folder'
    | 'target-key'
    | 'restore-file'
    | 'restore-folder'
  readonly site: string
}

/** Of more than these the oldest are forgotten: nobody comes back to a dialog after so many others. */
const keptAtMost = 200

/**
 * The places that a person has chosen in dialogs of main since the app began. Windows get tokens for them, which nobody can
 * guess, so a window that was taken over has nothing read or written where no dialog has been.
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
    /** null: no dialog gave this token, or it gave it for something else. */
    find({ what, site }: Purpose, token: string): string | null {
      const found = chosen.get(token)
      return found?.what === what && found.site === site ? found.path : null
    },
  }
}

export type ChosenPaths = ReturnType<typeof createChosenPaths>

import { CausedError, cause } from '@galley/wire'

import type { EntryObject } from './entry-object.ts'
import type { CheckpointKey, EntryKey } from './keys.ts'
import { entryKey } from './keys.ts'
import type { Upload } from './requests.ts'

/** An entry that is ready to be created after the position it was decided on. */
export interface EntryDraft {
  readonly kind: 'draft'
  readonly position: number
  readonly bytes: Uint8Array
  /** A random name by which the writer recognizes its own entry. */
  readonly writer: string
  /** Files that this entry uses and that no entry before it uses. */
  readonly uploads: readonly Upload[]
}

/** The decision about pending writes, made on the rows of a replica. */
export type Drafted =
  | EntryDraft
  /** A write would be refused, but newer entries of the log may allow it. */
  | { readonly kind: 'read_log' }
  /** There is nothing to write. */
  | { readonly kind: 'nothing' }

/** The local index as the protocol sees it. All calls are synchronous and atomic. */
export interface Replica<Write> {
  /** The last entry that was applied. */
  end(): { readonly position: number; readonly hash: string }
  /** Decides what to write. `isUpToDate`: the log was read to its end after these writes were requested. */
  draft(write: Write, isUpToDate: boolean): Drafted
  /** Applies the next entry. Skips it if another process on this machine has applied it already. */
  take(entry: EntryObject): void
}

/** The team's log cannot be followed at this position. Nothing was changed. */
export class TeamLogError extends CausedError {
  readonly code: 'log_foreign' | 'log_damaged' | 'log_unlinked' | 'log_newer' | 'log_lost'
  readonly position: number
  constructor(code: TeamLogError['code'], position: number, key: EntryKey | CheckpointKey = entryKey(position)) {
    super(cause(code, { name: key, why: position }))
    this.code = code
    this.position = position
  }
}

/** The next entries are folded into a checkpoint, so this replica must start again from it. */
export class LogFoldedError extends Error {
  readonly code = 'log_folded'
  readonly checkpoint: number
  constructor(checkpoint: number) {
    super(`The log of the team is folded up to entry ${checkpoint}`)
    this.checkpoint = checkpoint
  }
}

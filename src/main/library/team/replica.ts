import type { EntryObject } from './entry-object.ts'
import type { Upload } from './requests.ts'

/** An entry that is ready to be created behind the end that it was decided on. */
export interface Draft {
  readonly kind: 'draft'
  readonly position: number
  readonly bytes: Uint8Array
  /** The random name in it, by which its writer knows it again. */
  readonly writer: string
  /** Files that it names and the log behind it does not name yet. */
  readonly uploads: readonly Upload[]
}

/** What is wanted of an entry, decided on the rows of a replica. */
export type Drafted =
  | Draft
  /** Something would be refused, and the log may by now say what allows it. */
  | { readonly kind: 'look' }
  /** There is nothing to write. */
  | { readonly kind: 'nothing' }

/** The index of one machine, as the protocol sees it. All calls are synchronous, and each is done as a whole or not at all. */
export interface Replica<Wish> {
  /** The last entry that was applied. */
  end(): { readonly position: number; readonly hash: string }
  /** Decides what to write; `hasLooked`: the log was read to its end since somebody wished this. */
  draft(wish: Wish, hasLooked: boolean): Drafted
  /** Applies the entry behind the end. One that it has already, since another process of this machine took it, is passed over. */
  take(entry: EntryObject): void
}

/** The log of the team cannot be followed any further at this position. Nothing was changed. */
export class TeamLogError extends Error {
  readonly code: 'log_foreign' | 'log_unlinked' | 'log_newer'
  readonly position: number
  constructor(code: TeamLogError['code'], position: number) {
    super(`The log of the team cannot be followed at entry ${position}: ${code}`)
    this.code = code
    this.position = position
  }
}

/** The entries that come next are folded into a checkpoint, which this replica has to begin with again. */
export class LogFoldedError extends Error {
  readonly code = 'log_folded'
  readonly checkpoint: number
  constructor(checkpoint: number) {
    super(`The log of the team is folded up to entry ${checkpoint}`)
    this.checkpoint = checkpoint
  }
}

import type { Sha256 } from '../../../contract/ids.ts'
import type { AdoptionOutcome, Slice } from './vault.ts'

/** One file to make public under a path of its own, e.g. `/media/<hash>/<name>`, percent-encoded. */
export interface PublicFile {
  readonly path: string
  readonly sha256: Sha256
  readonly slice: Slice
  /** False where the same path gets new content later, as `current.css` does. */
  readonly immutable: boolean
}

/** Where the media and fonts of a site become public. Runs after the files are in the vault, before the index commit. */
export interface Publisher {
  /** Resolves when every file can be fetched and will still be there after a power cut. Throws what the target throws. */
  publish(files: readonly PublicFile[]): Promise<Publication>
}

/** Files that are public. */
export interface Publication {
  /** To be called once the log has decided. `nothing_stored`: files that this save alone has brought may go again. */
  settle(outcome: AdoptionOutcome): Promise<void>
}

/** Everything stays: equal files are the same file, and the next save of the same content finds them. */
export const kept: Publication = { settle: () => Promise.resolve() }

/** The listener serves straight from the vault: there is nothing to carry anywhere. */
export const listenerPublisher: Publisher = { publish: () => Promise.resolve(kept) }

import type { FileSlice } from '@galley/platform'
import { CausedError } from '@galley/wire'
import type { Sha256 } from '@galley/wire'

import type { AdoptionOutcome } from './vault.ts'

/** A file to publish under its own path, for example `/media/<hash>/<name>`, percent-encoded. */
export interface PublicFile {
  readonly path: string
  readonly sha256: Sha256
  readonly slice: FileSlice
  /** False if the content at this path can change, as for `current.css`. */
  readonly immutable: boolean
}

/** The publishing target of a site has failed. That says nothing about the library, or about the saves of other sites. */
export class PublishError extends CausedError {}

/** Publishes the media and fonts of a site. Runs after the files are in the vault, before the index commit. */
export interface Publisher {
  /** Resolves when every file can be fetched and will survive a power failure. Throws the target's error. */
  publish(files: readonly PublicFile[]): Promise<Publication>
}

/** Published files. */
export interface Publication {
  /** Call this once the log has decided. `nothing_stored`: files that only this save added may be deleted. */
  settle(outcome: AdoptionOutcome): Promise<void>
}

/** Keeps everything: files are named by content, so the next save of the same content reuses them. */
export const kept: Publication = { settle: () => Promise.resolve() }

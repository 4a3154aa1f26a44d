import type { ArchiveWorkers } from '../archive/client.ts'
import type { Index } from '../db/library-index.ts'
import type { OpenedLibrary } from '../db/open-library.ts'
import type { Vault } from '../vault/vault.ts'

/** The parts of a library that its care works with. */
export interface CarePorts {
  readonly library: OpenedLibrary
  readonly index: Index
  readonly vault: Vault
  readonly workers: ArchiveWorkers
  /** Whether another process runs the listener of this library right now. */
  readonly isServedElsewhere: () => boolean
  readonly now: () => Date
}

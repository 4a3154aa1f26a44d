import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { ArchiveWorkers } from '../../library/archive/client.ts'
import type { CareJobs } from './read-stored.ts'
import type { Background } from '../../platform/threads/background.ts'
import type { Index } from '../../library/db/library-index.ts'
import type { RunProtocol } from '../../library/db/team-commit.ts'
import type { OpenedLibrary } from '../../library/db/open-library.ts'
import type { DistantFiles } from '../../library/vault/read-files.ts'
import type { Vault } from '../../library/vault/vault.ts'

/** The bucket of a member library, as its care operations use it. */
export interface TeamBucket {
  /** True if the keys of this computer are read-only; asks the bucket again if they were. */
  readonly isReadOnly: () => Promise<boolean>
  readonly run: RunProtocol
  /** Fetches the files that this computer does not have. */
  readonly files: DistantFiles
  /** The object that names the library. Without it, no computer can join. */
  readonly marker: {
    state(): Promise<'ours' | 'missing' | 'other'>
    write(): Promise<void>
  }
}

/** The parts of a library that its care needs. */
export interface CarePorts {
  readonly folder: string
  readonly library: OpenedLibrary
  readonly index: Index
  readonly vault: Vault
  readonly workers: ArchiveWorkers
  readonly background: Background<CareJobs>
  /** Null for a library without a team. */
  readonly bucket: TeamBucket | null
  /** Whether another process runs the listener of this library now. */
  readonly isServedElsewhere: () => boolean
  readonly now: () => Date
}

/** An empty folder for temporary copies: in the library, or in the system's temporary folder if the library is read-only. */
export const scratchOf = ({ library, vault }: Pick<CarePorts, 'library' | 'vault'>): Promise<string> =>
  library.state === 'read_only' ? mkdtemp(join(tmpdir(), 'galley-copy-')) : vault.stage()

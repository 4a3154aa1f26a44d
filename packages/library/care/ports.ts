import { hasRoom, sizeOfFiles, temporaryFolder } from '@galley/platform'
import type { Background } from '@galley/platform'

import type { ArchiveWorkers } from '../archive/client.ts'
import { databaseFiles } from '../db/database/open.ts'
import type { Index } from '../db/library-index.ts'
import type { OpenedLibrary } from '../db/open/open-library.ts'
import type { RunProtocol } from '../db/team/team-commit.ts'
import type { RemoteFiles } from '../vault/read-files.ts'
import type { Vault } from '../vault/vault.ts'
import type { CareJobs } from './read-stored.ts'

/** The bucket of a member library, as its care operations use it. */
export interface TeamBucket {
  /** True if the keys of this computer are read-only; asks the bucket again if they were. */
  readonly isReadOnly: () => Promise<boolean>
  readonly run: RunProtocol
  /** Fetches the files that this computer does not have. */
  readonly files: RemoteFiles
  /** The object that names the library. Without it, no computer can join. */
  readonly marker: {
    state(): Promise<'ours' | 'missing' | 'other'>
    write(): Promise<void>
  }
  /** Removes the texts of releases that cannot be published again any more, or only counts them. Throws storage faults. */
  readonly collectTexts: (isDryRun: boolean, signal: AbortSignal) => Promise<number>
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
  /** True if there was no room without the reserve, which a disk with a quota does not report. */
  readonly isShort?: boolean
  readonly now: () => Date
}

/**
 * An empty folder for temporary copies of the index: in the library, or if that is read-only or its disk has no room for them,
 * in a temporary folder or in the folders `beside`.
 */
export async function scratchOf(
  { folder, library, vault }: Pick<CarePorts, 'folder' | 'library' | 'vault'>,
  copies: number,
  beside: readonly string[] = [],
): Promise<string> {
  const { index, local } = databaseFiles(folder)
  const bytes = copies * (await sizeOfFiles([index, `${index}-wal`, local, `${local}-wal`]))
  if (library.state !== 'read_only' && (await hasRoom(folder, bytes))) return vault.stage()
  return temporaryFolder('galley-copy-', bytes, beside)
}

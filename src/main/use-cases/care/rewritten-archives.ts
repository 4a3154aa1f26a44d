import { archiveLimits } from '../../../contract/protocol/archive.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { NewBlob } from '../../../contract/domain/changes.ts'
import type { Adoption, AdoptionOutcome } from '../../library/vault/vault.ts'
import type { CarePorts } from './ports.ts'

export type RewritePorts = Pick<CarePorts, 'index' | 'vault' | 'workers'>

/** A kept archive cannot be read, so nobody can tell what it holds. */
export class UnreadableArchiveError extends Error {
  readonly code = 'UNREADABLE_ARCHIVE'
}

/** Writes a kept archive again without a person, or, with null, without credentials; null when there is nothing to remove. */
export type Rewrite = (kept: Sha256, email: string | null) => Promise<NewBlob | null>

/**
 * Gives `work` a way to write archives again, and commits what it returns, if anything, once they are synced in their places.
 */
export async function withRewrittenArchives(
  { index, vault, workers }: RewritePorts,
  signal: AbortSignal,
  work: (rewrite: Rewrite) => Promise<(() => void) | null>,
): Promise<void> {
  // Whatever is read stays until it is named anew.
  const release = await vault.share()
  const folders: string[] = []
  const adoptions: Adoption[] = []
  let outcome: AdoptionOutcome = 'nothing_stored'
  try {
    const commit = await work(async (kept, email) => {
      signal.throwIfAborted()
      const place = index.blobs.find(kept)
      // What is lost holds nothing.
      if (place === null || (await vault.sizeOf(place.file)) === null) return null
      const stagingDir = await vault.stage()
      folders.push(stagingDir)
      const archive = { path: vault.pathOf(place.file), sha256: kept, sizeBytes: place.sizeBytes }
      const job = { kind: 'cleanArchive', archive, stagingDir, limits: archiveLimits, email } as const
      const { result } = await workers.run(job)
      if (!result.ok) throw result.failure.kind === 'storage_failed' ? diskFault() : new UnreadableArchiveError()
      const written = result.value.kept
      if (written === null) return null
      adoptions.push(await vault.adopt([written]))
      return { sha256: written.sha256, sizeBytes: written.sizeBytes, pack: null }
    })
    if (commit === null) return
    // A commit that throws may have reached the log all the same.
    outcome = 'unknown'
    commit()
    outcome = 'stored'
  } finally {
    // First: what came to nothing is deleted when nobody shares the files any more.
    release()
    for (const adoption of adoptions) adoption.settle(outcome)
    for (const folder of folders) await vault.discard(folder)
  }
}

const diskFault = (): Error => Object.assign(new Error('An archive could not be written again'), { code: 'EIO' })

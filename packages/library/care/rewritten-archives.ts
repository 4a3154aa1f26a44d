import { temporaryFolder } from '@galley/platform'
import { CausedError, archiveLimits } from '@galley/wire'
import type { Sha256 } from '@galley/wire'

import type { NewBlob } from '../records/changes.ts'
import type { Adoption, AdoptionOutcome } from '../vault/vault.ts'
import type { CarePorts } from './ports.ts'

export type RewritePorts = Pick<CarePorts, 'library' | 'index' | 'vault' | 'workers'>

/** A stored archive cannot be read, so its content is unknown. */
export class UnreadableArchiveError extends Error {
  readonly code = 'UNREADABLE_ARCHIVE'
}

/**
 * Rewrites a stored archive without a person, or without credentials if null. Resolves to null if there is nothing to
 * remove.
 */
export type Rewrite = (kept: Sha256, email: string | null) => Promise<NewBlob | null>

/**
 * Passes a function for rewriting archives to `work`, and commits its result, if any, after the new archives are synced and
 * in place. `dryRun`: nothing will be committed, and the library is not written.
 */
export async function withRewrittenArchives(
  ports: RewritePorts,
  signal: AbortSignal,
  work: (rewrite: Rewrite) => Promise<(() => void) | null>,
  dryRun = false,
): Promise<void> {
  const { library, index, vault, workers } = ports
  // Keeps all read files until the new names are stored.
  const release = await vault.share()
  const folders: string[] = []
  const adoptions: Adoption[] = []
  let outcome: AdoptionOutcome = 'nothing_stored'
  try {
    const commit = await work(async (kept, email) => {
      signal.throwIfAborted()
      const place = index.blobs.find(kept)
      // A missing archive contains nothing.
      if (place === null || !(await isHere(vault, place.file))) return null
      const stagingDir = await (library.state === 'read_only' ? temporaryFolder('galley-copy-') : vault.stage())
      folders.push(stagingDir)
      const archive = { path: vault.pathOf(place.file), sha256: kept, sizeBytes: place.sizeBytes }
      const job = { kind: 'cleanArchive', archive, stagingDir, limits: archiveLimits, email } as const
      const { result } = await workers.run(job)
      if (!result.ok) throw result.failure.kind === 'storage_failed' ? diskFault() : new UnreadableArchiveError()
      const written = result.value.kept
      if (written === null) return null
      if (!dryRun) adoptions.push(await vault.adopt([written]))
      return { sha256: written.sha256, sizeBytes: written.sizeBytes, pack: null }
    })
    if (commit === null) return
    // A commit that throws may still be in the log.
    outcome = 'unknown'
    await index.commit.write(commit)
    outcome = 'stored'
  } finally {
    // Released first, because the files of a failed commit are deleted only when no process shares the lock.
    release()
    for (const adoption of adoptions) adoption.settle(outcome)
    for (const folder of folders) await vault.discard(folder)
  }
}

const diskFault = (): Error => Object.assign(new Error('An archive could not be written again'), { code: 'EIO' })

/** Fetches a file that only the team's bucket has; false if it is lost. Throws bucket and disk errors. */
export async function isHere(vault: RewritePorts['vault'], file: Sha256): Promise<boolean> {
  try {
    await vault.ensureLocal(file)
  } catch (error) {
    if (error instanceof CausedError && error.reason.code === 'team_file_missing') return false
    throw error
  }
  return (await vault.sizeOf(file)) !== null
}

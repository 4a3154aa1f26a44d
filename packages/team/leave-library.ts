import type { IndexWith, OpenedLibrary, Vault } from '@galley/library'
import { LibraryReadOnlyError, takeOwnership } from '@galley/library'
import { forEachConcurrently } from '@galley/platform'
import { CausedError } from '@galley/wire'

import { removeMembership } from './bucket/membership.ts'
import type { Member } from './member.ts'
import { TeamFailure } from './team-failure.ts'

export interface LeavePorts {
  readonly folder: string
  readonly library: OpenedLibrary
  readonly index: IndexWith<'teamMarks'>
  readonly vault: Vault
  readonly team: Member
}

export interface LeaveOptions {
  /** Fetches the end of the log and all files first. */
  readonly fetchAll: boolean
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number) => void
}

const filesAtOnce = 8

/**
 * Makes a member a separate library again; the team keeps everything. Returns how many files stayed in the bucket.
 * Throws TeamFailure, CausedError, BucketAwayError, and disk errors; the folder is then still a member.
 */
export async function leaveTeam(
  { folder, library, index, vault, team }: LeavePorts,
  { fetchAll, signal, onProgress }: LeaveOptions,
): Promise<number> {
  if (library.state === 'read_only') throw new LibraryReadOnlyError()
  const waiting = (index.teamMarks?.list().length ?? 0) + (index.teamMarks?.comments() ?? 0)
  if (waiting > 0) throw new TeamFailure('changes_waiting', waiting)
  const ownership = takeOwnership(folder, process.pid)
  if (ownership === null) throw new TeamFailure('library_in_use')
  try {
    const remoteFiles = () => index.blobs.files().filter(({ file }) => vault.isRemote(file))
    if (fetchAll) {
      await team.sync()
      const state = team.state()
      if (state.kind === 'offline') throw new CausedError(state.why)
      const due = remoteFiles()
      let done = 0
      await forEachConcurrently(due, filesAtOnce, signal, async ({ file }) => {
        await vault.ensureLocal(file)
        done += 1
        onProgress(done, due.length)
      })
    }
    // Files that were fetched have been synced, but not their names: until now the bucket had them too.
    await vault.syncNames()
    // The local log may begin after a checkpoint, so the library cannot do without one.
    await library.writeCheckpoint(signal)
    removeMembership(folder)
    return remoteFiles().length
  } finally {
    ownership.release()
  }
}

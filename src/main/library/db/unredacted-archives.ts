import type { ChangeOf } from '../../../contract/domain/changes.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { Commit } from './commit.ts'
import type { ReadHandle } from './database/read-handle.ts'
import type { UnusedBlobs } from './unused-blobs.ts'

type Redacted = ChangeOf<'archives_redacted'>

/** Archives that were stored before credentials were redacted, and their replacement. */
export function createUnredactedArchives(db: ReadHandle, commit: Commit, unusedBlobs: UnusedBlobs) {
  const behind = db
    .prepare<[string, number], Sha256>('SELECT sha256 FROM unredacted_archive WHERE sha256 > ? ORDER BY sha256 LIMIT ?')
    .pluck()
  const count = db.prepare<[], number>('SELECT count(*) FROM unredacted_archive').pluck()
  const uses = db
    .prepare<{ archive: string }, number>(
      `SELECT (SELECT count(*) FROM version WHERE kept_sha256 = @archive) +
         (SELECT count(*) FROM snapshot WHERE kept_sha256 = @archive)`,
    )
    .pluck()

  return {
    count: (): number => count.get() ?? 0,
    /** The next archives, ordered by hash. `archive` is '' at the beginning. */
    behind: (archive: string, atMost: number): readonly Sha256[] => behind.all(archive, atMost),
    /** Replaces archives by redacted ones. The old ones stay listed until their files are deleted. */
    replace(rewritten: Redacted['rewritten']): void {
      commit.now(() => {
        // Versions may have been pruned in the meantime.
        const used = rewritten.filter(({ archive }) => uses.get({ archive }) !== 0)
        const dropped = used.flatMap(({ archive }) =>
          unusedBlobs.needs(archive) === uses.get({ archive }) ? [archive] : [],
        )
        return used.length === 0 ? [] : [{ kind: 'archives_redacted', rewritten: used, dropped, done: [] }]
      })
    },
    finish: (done: readonly Sha256[]): void =>
      commit.now(() => [{ kind: 'archives_redacted', rewritten: [], dropped: [], done }]),
  }
}

import type { Sha256 } from '@galley/wire'

import type { FilePage } from '../team/drop-files.ts'
import { listFiles, removeRetired } from '../team/drop-files.ts'
import type { FileObject } from '../team/keys.ts'
import type { CarePorts, TeamBucket } from './ports.ts'
import type { CareRun } from './run.ts'

/** Objects per request to remove them: a few seconds on slow storage. */
const removedAtOnce = 200

/**
 * Removes the objects of unused files from a team's bucket and returns how many. An entry of the log retires them
 * first: a writer that is about to use one of these files then loses its position to that entry, and sends the file
 * again under a new key. So running uploads need no protection, and interrupted uploads are removed as well.
 */
export async function collectObjects(
  { index }: Pick<CarePorts, 'index'>,
  bucket: TeamBucket,
  { signal, onProgress }: CareRun,
): Promise<number> {
  const { blobs, commit } = index
  let removed = 0
  for (let after: string | null = ''; after !== null;) {
    signal.throwIfAborted()
    const page: FilePage = await bucket.run(listFiles(after))
    const unneeded = page.objects.filter((object) => blobs.stateOf(object) === 'unneeded')
    if (unneeded.length > 0) await commit.write(() => blobs.retire(unneeded))
    const retired = page.objects.filter((object) => blobs.stateOf(object) === 'retired')
    for (let at = 0; at < retired.length; at += removedAtOnce) {
      signal.throwIfAborted()
      await bucket.run(removeRetired(retired.slice(at, at + removedAtOnce)))
      onProgress({
        step: 'deleting',
        done: removed + Math.min(at + removedAtOnce, retired.length),
        total: null,
        unit: 'files',
      })
    }
    removed += retired.length
    after = page.next
  }
  return removed
}

/** How many objects would be removed if these files were unused. */
export async function countObjects(
  { index }: Pick<CarePorts, 'index'>,
  bucket: TeamBucket,
  freed: ReadonlySet<Sha256>,
  { signal }: CareRun,
): Promise<number> {
  const isToGo = (object: FileObject): boolean => {
    const state = index.blobs.stateOf(object)
    return state === 'unneeded' || state === 'retired' || (state === 'referenced' && freed.has(object.file))
  }
  let count = 0
  for (let after: string | null = ''; after !== null;) {
    signal.throwIfAborted()
    const page: FilePage = await bucket.run(listFiles(after))
    count += page.objects.filter(isToGo).length
    after = page.next
  }
  return count
}

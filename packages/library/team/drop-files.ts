import type { FileObject } from './keys.ts'
import { fileIn, fileKey } from './keys.ts'
import type { ListedObject, Protocol } from './requests.ts'
import { untilKnown } from './requests.ts'

// An object is removed in two steps: an entry of the log retires its key, then the object is deleted. A file that is
// sent again after that entry gets a new key, even if an earlier request arrives late, so a retired object can be
// deleted at any time. Objects that no entry ever named are retired in the same way.

/** A page of file objects, and the key after which the next page starts; null: this is the last one. */
export interface FilePage {
  readonly objects: readonly (FileObject & { readonly listed: ListedObject | null })[]
  readonly next: string | null
}

/** Lists file objects after a key; '' starts at the beginning. Skips objects that were not created by Galley. */
export function* listFiles(after: string): Protocol<FilePage> {
  const answer = yield* untilKnown({ kind: 'list', under: 'files/', after })
  if (answer.kind !== 'listed') throw new TypeError(`A list was answered with ${answer.kind}`)
  const objects = answer.keys.flatMap((key) => {
    const object = fileIn(key)
    return object ? [{ ...object, listed: answer.objects.get(key) ?? null }] : []
  })
  return { objects, next: answer.keys.at(-1) ?? null }
}

/**
 * Removes objects that the log has retired. Objects that a killed process leaves behind are found by the next listing.
 */
export function* removeRetired(objects: readonly FileObject[]): Protocol<void> {
  if (objects.length === 0) return
  yield* untilKnown({ kind: 'remove', keys: objects.map(({ file, droppedAt }) => fileKey(file, droppedAt)) })
}

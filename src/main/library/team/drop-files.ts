import type { FileObject } from './keys.ts'
import { fileIn, fileKey } from './keys.ts'
import type { Protocol } from './requests.ts'
import { untilKnown } from './requests.ts'

// An object goes in two steps: an entry of the log retires its key, and then the object is removed. A file that comes back
// after that entry gets another key, whoever sends it and however late an earlier request arrives, so removing a retired
// object is right at any time. Objects that no entry ever named are retired like all others.

/** Some objects of files, and the key behind which the next ones are; null: there are none. */
export interface FilePage {
  readonly objects: readonly FileObject[]
  readonly next: string | null
}

/** The objects of files behind a key, which is '' at the beginning. Leaves out what no Galley has put there. */
export function* listFiles(after: string): Protocol<FilePage> {
  const answer = yield* untilKnown({ kind: 'list', under: 'files/', after })
  if (answer.kind !== 'listed') throw new TypeError(`A list was answered with ${answer.kind}`)
  return { objects: answer.keys.flatMap((key) => fileIn(key) ?? []), next: answer.keys.at(-1) ?? null }
}

/** Removes objects that the log has retired. What a killed machine leaves is found by the next list. */
export function* removeRetired(objects: readonly FileObject[]): Protocol<void> {
  if (objects.length === 0) return
  yield* untilKnown({ kind: 'remove', keys: objects.map(({ file, droppedAt }) => fileKey(file, droppedAt)) })
}

import { expect, it } from 'vitest'

import { noHash } from '../../../packages/library/records/changes.ts'
import { confirmNoGap } from '../../../packages/library/team/follow.ts'
import { entryKey } from '../../../packages/library/team/keys.ts'
import type { Answer, Request } from '../../../packages/library/team/requests.ts'

/** Looks for a gap behind entry 3, in a bucket whose list and whose answers to GET need not agree. */
function look(listed: readonly number[], readable: readonly number[]): void {
  const answerTo = (request: Request): Answer => {
    if (request.kind === 'list')
      return { kind: 'listed', keys: listed.map(entryKey).filter((key) => key > request.after), objects: new Map() }
    const keys = request.kind === 'get' ? request.keys : []
    const objects = readable.map(entryKey).filter((key) => keys.includes(key))
    return { kind: 'found', objects: objects.map((key) => Buffer.from(key)), isCut: false }
  }
  const protocol = confirmNoGap({ end: () => ({ position: 3, hash: noHash }) })
  for (let step = protocol.next(); step.done !== true;) step = protocol.next(answerTo(step.value))
}

it('an entry that is missing before others is a gap', () => {
  expect(() => look([1, 2, 3, 5], [1, 2, 3, 5])).toThrow(expect.objectContaining({ code: 'log_lost', position: 4 }))
})

it.each([
  ['the log ends there', [1, 2, 3], [1, 2, 3]],
  ['others have written since', [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]],
  // Entry 4 was created behind the place that the list had come to, and 5 before it.
  ['the list is no snapshot', [1, 2, 3, 5], [1, 2, 3, 4, 5]],
  ['a cache still answers that the entry is missing', [1, 2, 3, 4, 5], [1, 2, 3, 5]],
])('there is no gap where %s', (_, listed, readable) => {
  expect(() => look(listed, readable)).not.toThrow()
})

import { expect, it } from 'vitest'

import { writeLine } from '../../../packages/library/log/line.ts'
import { noHash } from '../../../packages/library/records/changes.ts'
import type { EntryObject } from '../../../packages/library/team/entry-object.ts'
import { follow } from '../../../packages/library/team/follow.ts'
import { entryKey } from '../../../packages/library/team/keys.ts'
import type { Answer, Request } from '../../../packages/library/team/requests.ts'

/** A log of so many entries, by key. */
function aLog(entries: number): ReadonlyMap<string, Buffer> {
  const log = new Map<string, Buffer>()
  let previous = noHash
  for (let position = 1; position <= entries; position++) {
    const line = writeLine(position, previous, [{ kind: 'files_dropped', files: [] }], `writer ${position}`)
    log.set(entryKey(position), line.bytes)
    previous = line.hash
  }
  return log
}

/** Where a new replica ends, how many entries it asked for in each round trip, and how often it let other work run. */
function followed(entries: number) {
  const log = aLog(entries)
  const replica = { position: 0, hash: noHash }
  const asked: number[] = []
  let pauses = 0
  const answerTo = (request: Request): Answer => {
    if (request.kind === 'wait') {
      pauses += 1
      return { kind: 'waited', isLate: false }
    }
    if (request.kind !== 'get') throw new Error(`Unexpected request: ${request.kind}`)
    asked.push(request.keys.length)
    return { kind: 'found', objects: request.keys.flatMap((key) => log.get(key) ?? []), isCut: false }
  }
  const protocol = follow({
    end: () => replica,
    draft: () => ({ kind: 'nothing' }),
    take: ({ position, hash }: EntryObject) => void Object.assign(replica, { position, hash }),
  })
  for (let step = protocol.next(); step.done !== true;) step = protocol.next(answerTo(step.value))
  return { position: replica.position, asked, pauses }
}

it('a member that was away reads many entries in each round trip, and one that is current reads one', () => {
  expect(followed(0)).toEqual({ position: 0, asked: [1], pauses: 0 })
  expect(followed(1)).toEqual({ position: 1, asked: [1, 2], pauses: 0 })
  const { position, asked, pauses } = followed(1000)
  expect(position).toBe(1000)
  expect(asked.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 64, 64])
  expect(asked).toHaveLength(21)
  // Other work of the process runs after every sixteen.
  expect(pauses).toBe(62)
})

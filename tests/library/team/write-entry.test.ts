import { describe, expect, it } from 'vitest'

import { EntryUnappliedError } from '../../../packages/library/log/entry-unapplied.ts'
import { writeLine } from '../../../packages/library/log/line.ts'
import { noHash } from '../../../packages/library/records/changes.ts'
import type { Replica } from '../../../packages/library/team/replica.ts'
import { TeamLogError } from '../../../packages/library/team/replica.ts'
import type { Answer } from '../../../packages/library/team/requests.ts'
import { EntryUnknownError, writeEntry } from '../../../packages/library/team/write-entry.ts'
import { CausedError, cause } from '../../../packages/wire/cause.ts'

const at = '2026-11-23T10:00:00.000Z'
const { bytes } = writeLine(1, noHash, [{ kind: 'library_named', library: 'a-team', at }], 'this one')
const half = bytes.subarray(0, bytes.length / 2)

/** Writes the first entry of a log against these answers, and gives the positions that were applied. */
function play(answers: readonly Answer[], take = () => {}): readonly number[] {
  const taken: number[] = []
  const replica: Replica<null> = {
    end: () => ({ position: 0, hash: noHash }),
    draft: () => ({ kind: 'draft', position: 1, bytes, writer: 'this one', uploads: [] }),
    take({ position }) {
      take()
      taken.push(position)
    },
  }
  const protocol = writeEntry(replica, null)
  let step = protocol.next()
  for (const answer of answers) step = protocol.next(answer)
  expect(step.done).toBe(true)
  return taken
}

const unknown: Answer = { kind: 'unknown' }
const waited: Answer = { kind: 'waited', isLate: false }
const refused: Answer = { kind: 'refused', why: cause('bucket_denied') }
const found = (object: Uint8Array): Answer => ({ kind: 'found', objects: [object], isCut: false })

describe('an entry', () => {
  it('is not written if its first request is refused', () => {
    expect(() => play([refused])).toThrow(CausedError)
  })

  it('may be written if a request is refused after one whose answer was lost', () => {
    expect(() => play([unknown, unknown, waited, refused])).toThrow(EntryUnknownError)
  })

  it('is asked for again if what was read after a lost answer is damaged', () => {
    expect(play([unknown, found(half), waited, { kind: 'exists' }, found(bytes)])).toEqual([1])
    expect(() => play([unknown, found(half), { kind: 'waited', isLate: true }])).toThrow(EntryUnknownError)
  })

  it('is in the log, although this disk is full', () => {
    const full = (): void => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    }
    expect(() => play([{ kind: 'created' }], full)).toThrow(
      expect.objectContaining({ constructor: EntryUnappliedError, code: 'ENOSPC' }),
    )
  })

  it('is not written if something else has its place', () => {
    expect(() => play([{ kind: 'exists' }, found(Buffer.from('<html>'))])).toThrow(TeamLogError)
  })
})

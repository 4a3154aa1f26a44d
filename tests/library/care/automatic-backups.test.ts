import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  automaticBackupName,
  backupFileName,
  keptBackups,
  thinAutomaticBackups,
} from '../../../packages/library/care/automatic-backups.ts'
import { temporaryFolder } from '../../support/test-galley.ts'

const dayMs = 86_400_000
const startMs = Date.parse('2026-11-02T00:00:00Z')

/** Moments within a year, some of them on the same day. */
const moments = fc.uniqueArray(
  fc.integer({ min: 0, max: 365 * 24 }).map((hours) => startMs + hours * 3_600_000),
  { minLength: 1, maxLength: 60 },
)
const inOrder = (set: Iterable<number>): readonly number[] => [...set].toSorted((one, other) => one - other)
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

describe('the kept automatic backups', () => {
  it('after a hundred daily ones: the last seven days and the Sundays of the weeks before', () => {
    const daily = Array.from({ length: 100 }, (_, day) => startMs + day * dayMs + 3_600_000)
    // The last of them is a Tuesday.
    expect(inOrder(keptBackups(daily)).map(dayOf)).toEqual([
      '2027-01-24',
      '2027-01-31',
      '2027-02-03',
      '2027-02-04',
      '2027-02-05',
      '2027-02-06',
      '2027-02-07',
      '2027-02-08',
      '2027-02-09',
    ])
  })

  it('include the newest and one for each of the last seven days that have one, and are at most eleven', () =>
    fc.assert(
      fc.property(moments, (made) => {
        const kept = keptBackups(made)
        expect(kept.has(Math.max(...made))).toBe(true)
        expect(kept.size).toBeLessThanOrEqual(11)
        expect(made).toEqual(expect.arrayContaining([...kept]))
        const newestOfDays = new Map(inOrder(made).map((ms) => [dayOf(ms), ms]))
        for (const ms of [...newestOfDays.values()].slice(-7)) expect(kept.has(ms)).toBe(true)
      }),
    ))

  it('do not depend on whether old ones are deleted after each backup or once at the end', () =>
    fc.assert(
      fc.property(moments, (made) => {
        let left: readonly number[] = []
        for (const ms of inOrder(made)) left = inOrder(keptBackups(left.concat(ms)))
        expect(inOrder(left)).toEqual(inOrder(keptBackups(made)))
        expect(inOrder(keptBackups(left))).toEqual(inOrder(left))
      }),
    ))

  it('reach back two weeks at least, however often a backup is made', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 48 }), (everyHours) => {
        const made = Array.from({ length: 2000 }, (_, at) => startMs + at * everyHours * 3_600_000)
        const kept = inOrder(keptBackups(made))
        const spanDays = ((made.at(-1) ?? 0) - (kept[0] ?? 0)) / dayMs
        expect(spanDays).toBeGreaterThanOrEqual(14)
        expect(spanDays).toBeLessThanOrEqual(28)
      }),
    ))
})

it('belong to one folder of one library; everything else in the folder stays', async () => {
  const folder = await temporaryFolder()
  const [ours, theirs] = ['11111111-aaaa', '22222222-bbbb']
  const at = (day: number): Date => new Date(startMs + day * dayMs)
  const others = [
    ...[0, 1, 2].map((day) => backupFileName(at(day))),
    ...[0, 1, 2].map((day) => automaticBackupName(theirs, at(day))),
    `renamed ${automaticBackupName(ours, at(0))}`,
    automaticBackupName(ours, at(0)).replace('2026-11-02', '2026-13-77'),
    'letter.txt',
  ]
  const own = Array.from({ length: 40 }, (_, day) => automaticBackupName(ours, at(day)))
  for (const name of [...others, ...own]) await writeFile(join(folder, name), '')
  const ofCopy = Array.from({ length: 3 }, (_, hour) =>
    automaticBackupName(ours, new Date(startMs + (hour + 1) * 3_600_000)),
  )
  for (const name of ofCopy) await writeFile(join(folder, name), '')
  await thinAutomaticBackups(folder, { libraryId: ours, madeHere: own, nowMs: Date.parse('2027-01-01') })
  const left = await readdir(folder)
  expect(left).toEqual(expect.arrayContaining([...others, ...ofCopy]))
  expect(left.filter((name) => own.includes(name)).toSorted()).toEqual(
    [20, 27, 33, 34, 35, 36, 37, 38, 39].map((day) => automaticBackupName(ours, at(day))),
  )
})

import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { rebuildLibrary } from '../../../../packages/library/care/rebuild.ts'
import { restore } from '../../../../packages/library/care/restore.ts'
import { openLibrary } from '../../../../packages/library/db/open/open-library.ts'
import { aRun, reportOf } from '../library.ts'
import type { MadeLibrary } from './library.ts'
import {
  copyOf,
  expectWhole,
  factsOf,
  findingsOf,
  firstSegment,
  makeLibrary,
  now,
  open,
  openQuickly,
} from './library.ts'

// A library whose log another program has given other line ends.

let made: MadeLibrary
beforeAll(async () => void (made = await makeLibrary()))
afterAll(() => made.remove())

/** A copy of the library with CRLF and a byte order mark in its log, and the log as it was. */
async function anAlteredCopy() {
  const folder = await copyOf(made.folder)
  const segment = join(folder, 'log', firstSegment)
  const log = await readFile(segment)
  await writeFile(segment, `\uFEFF${log.toString('utf8').replaceAll('\n', '\r\n')}`)
  return { folder, segment, log }
}

const finding = (fixed: boolean) => [
  expect.objectContaining({ kind: 'log_altered', facts: { code: 'line_ends', segments: 1 }, fixable: true, fixed }),
]

describe('a log with other line ends', () => {
  test('is whole; a check names it once, and its repair restores every byte', async () => {
    const { folder, segment, log } = await anAlteredCopy()
    const galley = await open(folder, made)
    expect([galley.library.state, galley.library.notes]).toEqual(['whole', []])
    expect(await findingsOf(galley)).toEqual(finding(false))
    expect(await findingsOf(galley, { repair: true })).toEqual(finding(true))
    expect(await readFile(segment)).toEqual(log)
    await expectWhole(galley, made)
  })

  test('gives the same index when that is gone', async () => {
    const { folder } = await anAlteredCopy()
    for (const name of ['index.db', 'checkpoints']) await rm(join(folder, name), { recursive: true })
    const galley = await open(folder, made)
    expect(await findingsOf(galley)).toEqual(finding(false))
    galley.index.rules.pause(null, { reason: 'the next entry', since: now().toISOString() })
    galley.index.rules.pause(null, null)
    await expectWhole(galley, made)
  })

  test('is restored by a rebuild', async () => {
    const { folder, segment, log } = await anAlteredCopy()
    expect((await rebuildLibrary(folder, { from: 'log', now })).lost).toEqual([])
    expect(await readFile(segment)).toEqual(log)
  })

  test('is in a backup as it was', async () => {
    const { folder, log } = await anAlteredCopy()
    const galley = await open(folder, made)
    const file = join(folder, '..', 'a.galley-backup')
    await reportOf(galley.care.backUp({ file, withFiles: true }, aRun()))
    const restored = join(folder, '..', 'restored')
    await reportOf(restore({ file, folder: restored, now }, aRun()))
    expect((await readFile(join(restored, 'log', firstSegment))).subarray(0, log.length)).toEqual(log)
    const library = await openQuickly(restored)
    for (const sent of made.sent) expect(factsOf(library.index, sent)).not.toBeNull()
    library.close()
  })

  test('is followed by a process that was running when it changed, and by one that starts', async () => {
    const { folder, segment } = await anAlteredCopy()
    const running = await openQuickly(folder)
    const writer = await openLibrary(folder, now, () => undefined)
    writer.index.rules.pause(null, { reason: 'first', since: now().toISOString() })
    await writeFile(segment, (await readFile(segment, 'utf8')).replaceAll('\n', '\r\n'))
    running.index.commit.follow()
    expect(running.index.rules.pauseEverywhere()?.reason).toBe('first')
    running.index.rules.pause(null, { reason: 'second', since: now().toISOString() })
    writer.index.commit.follow()
    expect(writer.index.rules.pauseEverywhere()?.reason).toBe('second')
    expect([writer.log.altered(), writer.index.lostEntries()]).toEqual([[], []])
    running.close()
    writer.close()
  })
})

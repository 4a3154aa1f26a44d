import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { describeOpening } from '../../../../packages/library/care/opening-words.ts'
import { rebuildLibrary } from '../../../../packages/library/care/rebuild.ts'
import type { Index } from '../../../../packages/library/db/library-index.ts'
import { LibraryDamagedError } from '../../../../packages/library/db/open/ensure-log.ts'
import type { OpenedLibrary } from '../../../../packages/library/db/open/open-library.ts'
import { randomFrom } from '../../../support/random.ts'
import type { Sent } from '../../../support/saves.ts'
import type { MadeLibrary } from './library.ts'
import {
  copyOf,
  damageable,
  expectWhole,
  factsOf,
  findingsOf,
  firstSegment,
  forever,
  makeLibrary,
  now,
  open,
  openQuickly,
  places,
  placesTimeoutMs,
  savedFiles,
} from './library.ts'

// A library whose log is cut, flipped or incomplete, with its index and without.

let made: MadeLibrary
/** A folder that is damaged in each round, with the log and rows of the intact library. */
let folder: string
let log: Buffer
let facts: readonly unknown[]
let files: readonly string[]
beforeAll(async () => {
  made = await makeLibrary()
  folder = join(made.place, 'damaged')
  await cp(made.folder, folder, { recursive: true })
  const whole = await openQuickly(folder)
  facts = factsIn(whole.index)
  whole.close()
  log = await readFile(join(folder, 'log', firstSegment))
  files = await savedFiles(folder)
})
afterAll(() => made.remove())

const factsIn = (index: Index): readonly unknown[] => made.sent.map((sent) => factsOf(index, sent))

/** Restores everything except the files, and removes the remains of the last round. */
async function reset(without: readonly string[] = []): Promise<void> {
  for (const name of await readdir(folder))
    if (name !== 'files' && name !== 'staging') await rm(join(folder, name), { recursive: true })
  for (const name of damageable)
    if (!without.includes(name)) await cp(join(made.folder, name), join(folder, name), { recursive: true })
}

/** The lines of the whole log, with their offsets and texts. */
function linesOf(bytes: Buffer): readonly { start: number; end: number; text: string }[] {
  const lines = []
  for (let start = 0; start < bytes.length;) {
    const lineFeed = bytes.indexOf(0x0a, start)
    const end = lineFeed === -1 ? bytes.length : lineFeed + 1
    lines.push({ start, end, text: bytes.toString('utf8', start, end) })
    start = end
  }
  return lines
}

/** The index of the line that stored a save. */
const lineOf = (sent: Sent) =>
  linesOf(log).find(({ text }) => /"(version|fonts)_stored"/.test(text) && text.includes(sent.contentUrl))

/** Offsets in the log before `end`. */
const somePlaces = (seed: number, count = places, end = log.length): readonly number[] => {
  const random = randomFrom(seed)
  return Array.from({ length: count }, () => Math.floor(random() * end))
}

const flipped = (at: number): Buffer => {
  const bytes = Buffer.from(log)
  bytes[at] = (bytes[at] ?? 0) ^ 0x20
  return bytes
}

const writeLog = (bytes: Buffer): Promise<void> => writeFile(join(folder, 'log', firstSegment), bytes)

/** The entries that opening reports as not applied. */
const unappliedOf = ({ notes }: OpenedLibrary) =>
  notes.flatMap((note) =>
    note.kind === 'rebuilt' ? note.report.unapplied : note.kind === 'unapplied' ? [note.what] : [],
  )

describe(`a log that is cut at ${places} places`, () => {
  test(
    'and an intact index: a mismatch, and the index restores everything',
    async () => {
      for (const at of somePlaces(1)) {
        await reset()
        await writeLog(log.subarray(0, at))
        const library = await openQuickly(folder)
        const { state } = library
        library.close()
        expect(state, `cut at ${at}`).toBe('log_mismatch')
        const report = await rebuildLibrary(folder, { from: 'index', now })
        expect(report.lost, `cut at ${at}`).toEqual([])
        const again = await openQuickly(folder)
        expect([again.state, again.notes, factsIn(again.index)], `cut at ${at}`).toEqual(['whole', [], facts])
        again.close()
      }
      expect(await savedFiles(folder)).toEqual(files)
    },
    placesTimeoutMs,
  )

  test(
    'and no index, but a checkpoint after the cut: a mismatch, and the checkpoint restores everything',
    async () => {
      const copy = await copyOf(made.folder)
      const whole = await openQuickly(copy)
      await whole.writeCheckpoint(forever)
      whole.close()
      const newest = join(copy, 'checkpoints')
      for (const at of somePlaces(5, places / 10)) {
        await reset(['index.db', 'checkpoints'])
        await cp(newest, join(folder, 'checkpoints'), { recursive: true })
        await writeLog(log.subarray(0, at))
        const library = await openQuickly(folder)
        expect(library.state, `cut at ${at}`).toBe('log_mismatch')
        library.close()
        expect((await rebuildLibrary(folder, { from: 'index', now })).lost, `cut at ${at}`).toEqual([])
        const again = await openQuickly(folder)
        expect([again.state, factsIn(again.index)], `cut at ${at}`).toEqual(['whole', facts])
        again.index.rules.pause(null, { reason: 'behind the new log', since: now().toISOString() })
        again.close()
        // The checkpoint of the old log is not used for the new one.
        await rm(join(folder, 'index.db'))
        const rebuilt = await openQuickly(folder)
        expect([rebuilt.state, factsIn(rebuilt.index)], `cut at ${at}`).toEqual(['whole', facts])
        expect(rebuilt.index.rules.pauseEverywhere()?.reason).toBe('behind the new log')
        rebuilt.close()
      }
    },
    placesTimeoutMs,
  )

  test(
    'and no index, no checkpoint: everything before the cut is there, and saves continue after it',
    async () => {
      for (const at of somePlaces(2)) {
        await reset(['index.db', 'checkpoints'])
        await writeLog(log.subarray(0, at))
        const whole = linesOf(log.subarray(0, at)).filter(({ text }) => text.endsWith('\n'))
        if (whole.length === 0) {
          // The whole log is lost, so the meaning of the files is unknown.
          await expect(openQuickly(folder), `cut at ${at}`).rejects.toThrow(LibraryDamagedError)
          expect(await readFile(join(folder, 'log', firstSegment))).toEqual(log.subarray(0, at))
          continue
        }
        const library = await openQuickly(folder)
        expect(unappliedOf(library), `cut at ${at}`).toEqual([])
        expect(library.index.commit.mark().position, `cut at ${at}`).toBe(whole.length)
        // Only the list of callbacks still shows how long the log was.
        const count = linesOf(log).length - whole.length
        const cutOff = library.notes.filter(({ kind }) => kind === 'cut_off')
        expect(cutOff, `cut at ${at}`).toEqual([{ kind: 'cut_off', position: whole.length + 1, count, isCopy: false }])
        const there = made.sent.map((sent) => (lineOf(sent)?.end ?? 0) <= at)
        expect(
          factsIn(library.index).map((each) => each !== null),
          `cut at ${at}`,
        ).toEqual(there)
        library.index.rules.pause(null, { reason: 'behind the cut', since: now().toISOString() })
        library.close()
        const again = await openQuickly(folder)
        expect([again.notes, again.index.rules.pauseEverywhere()?.reason], `cut at ${at}`).toEqual([
          [],
          'behind the cut',
        ])
        again.close()
      }
      expect(await savedFiles(folder)).toEqual(files)
    },
    placesTimeoutMs,
  )
})

describe('a cut log of which only the list of callbacks knows more', () => {
  const first = () => linesOf(log).length - 2
  const cut = () => writeLog(log.subarray(0, linesOf(log)[first() - 1]?.start ?? 0))

  test('a rebuild reports the cut entries as lost', async () => {
    await reset(['index.db', 'checkpoints'])
    await cut()
    const { lost } = await rebuildLibrary(folder, { from: 'log', now })
    expect(lost).toEqual([{ kind: 'entry', id: `${first()}-${first() + 2}`, reason: 'cut_off' }])
    // The loss is reported once. From here on, the log continues.
    expect((await rebuildLibrary(folder, { from: 'log', now })).lost).toEqual([])
  })

  test('an index from before the cut is opened with the same message', async () => {
    await reset(['checkpoints'])
    await cp(made.older, join(folder, 'index.db'))
    for (const end of ['-wal', '-shm']) await rm(join(folder, `index.db${end}`), { force: true })
    await cut()
    const library = await openQuickly(folder)
    library.close()
    const count = linesOf(log).length - first() + 1
    expect([library.state, library.notes]).toEqual([
      'whole',
      [{ kind: 'cut_off', position: first(), count, isCopy: false }],
    ])
    expect(describeOpening({ kind: 'cut_off', position: first(), count, isCopy: false })).toContain(
      `Entries ${first()} to ${first() + count - 1} of the log are missing at its end`,
    )
  })

  test('entries that the index still has are not reported twice', async () => {
    await reset(['checkpoints'])
    await cut()
    const { lost } = await rebuildLibrary(folder, { from: 'log', now })
    expect(lost).toEqual([{ kind: 'entry', id: `${first()}-${first() + 2}`, reason: 'only_in_old_index' }])
  })

  test('a damaged last entry is reported as damaged, not as cut off', async () => {
    await reset(['index.db', 'checkpoints'])
    const last = linesOf(log).at(-1)
    await writeLog(flipped((last?.start ?? 0) + 40))
    const { lost } = await rebuildLibrary(folder, { from: 'log', now })
    expect(lost).toEqual([{ kind: 'entry', id: String(linesOf(log).length), reason: 'damaged' }])
  })
})

describe(`a log with one byte flipped at ${places} places`, () => {
  test(
    'and an intact index: nothing is lost',
    async () => {
      const lines = linesOf(log)
      for (const at of somePlaces(3)) {
        await reset()
        await writeLog(flipped(at))
        const position = lines.findIndex(({ end }) => at < end) + 1
        let library = await openQuickly(folder)
        if (position === lines.length) {
          expect(library.state, `flipped at ${at}`).toBe('log_mismatch')
          library.close()
          await rebuildLibrary(folder, { from: 'index', now })
          library = await openQuickly(folder)
        }
        expect([library.state, library.notes, factsIn(library.index)], `flipped at ${at}`).toEqual(['whole', [], facts])
        library.close()
      }
      expect(await savedFiles(folder)).toEqual(files)
    },
    placesTimeoutMs,
  )

  test(
    'and no index, no checkpoint: one entry is reported and kept, the others are there',
    async () => {
      const lines = linesOf(log)
      for (const at of somePlaces(4)) {
        await reset(['index.db', 'checkpoints'])
        const bytes = flipped(at)
        await writeLog(bytes)
        const position = lines.findIndex(({ end }) => at < end) + 1
        const library = await openQuickly(folder)
        const named = unappliedOf(library)
        const isTorn = position === lines.length && !bytes.subarray(lines.at(-1)?.start).includes(0x0a)
        // A crash leaves an incomplete last line, which counts as never acknowledged.
        if (!isTorn) expect(named[0], `flipped at ${at}`).toMatchObject({ kind: 'damaged', position, count: 1 })
        const mine = lines[position - 1]
        const found = factsIn(library.index)
        for (const [which, sent] of made.sent.entries()) {
          const isHit = lineOf(sent)?.start === mine?.start
          if (isHit) expect(found[which], `flipped at ${at}`).toBeNull()
          else expect(found[which], `${sent.versionId}, flipped at ${at}`).not.toBeNull()
        }
        library.close()
        if (!isTorn)
          expect((await readdir(join(folder, 'lost-and-found'))).length, `flipped at ${at}`).toBeGreaterThan(0)
      }
      expect(await savedFiles(folder)).toEqual(files)
    },
    placesTimeoutMs,
  )

  test('and no index, but a checkpoint after them: nothing is lost', async () => {
    const [name = ''] = await readdir(join(made.folder, 'checkpoints'))
    const covered = linesOf(log)[Number(name.slice(0, 20)) - 2]?.end ?? 0
    expect(covered).toBeGreaterThan(5000)
    for (const at of somePlaces(5, 40, covered)) {
      await reset(['index.db'])
      await writeLog(flipped(at))
      const library = await openQuickly(folder)
      expect(factsIn(library.index), `flipped at ${at}`).toEqual(facts)
      library.close()
    }
    expect(await savedFiles(folder)).toEqual(files)
  })
})

test('a check reports the damaged entry and requests no rebuild from this log', async () => {
  const damaged = await copyOf(made.folder)
  const line = linesOf(log)[4]
  await writeFile(join(damaged, 'log', firstSegment), flipped((line?.start ?? 0) + 200))
  const galley = await open(damaged, made)
  expect(await findingsOf(galley, { repair: true })).toContainEqual({
    kind: 'log_damaged',
    facts: { code: 'entries', state: 'damaged', from: 5, upTo: 5 },
    fixable: false,
    file: null,
    usedBy: [],
    fixed: false,
  })
  await galley.close()
  const report = await rebuildLibrary(damaged, { from: 'index', now })
  expect(report).toMatchObject({ versions: 6, lost: [] })
  await expectWhole(await open(damaged, made), made)
})

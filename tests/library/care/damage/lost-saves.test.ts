import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { rebuildLibrary } from '../../../../packages/library/care/rebuild.ts'
import type { EntryState, FindingFacts } from '../../../../packages/library/records/care-reports.ts'
import { aRun } from '../library.ts'
import type { MadeLibrary } from './library.ts'
import { copyOf, findingsOf, firstSegment, makeLibrary, now, open, openQuickly } from './library.ts'

// The files of saves that the log has lost: no row names them, and nothing may take them for files that nobody needs.

let made: MadeLibrary
beforeAll(async () => {
  made = await makeLibrary()
})
afterAll(() => made.remove())

/** Older than what a collection leaves alone. */
const longAgo = new Date(Date.now() - 3 * 86_400_000)
const split = 5

type Lines = readonly Buffer[]
interface Loss {
  /** The segments that are left, by their first positions. */
  readonly left: (lines: Lines) => Record<number, Lines>
  readonly facts: (last: number) => readonly FindingFacts[]
}

const entries = (state: EntryState, from: number, upTo = from): FindingFacts => ({ code: 'entries', state, from, upTo })

const losses: Record<string, Loss> = {
  'two lines': {
    left: (lines) => ({ 1: lines.filter((_line, at) => at !== split && at !== split + 1) }),
    facts: () => [entries('missing', split + 1, split + 2)],
  },
  'the first segment': {
    left: (lines) => ({ [split + 1]: lines.slice(split) }),
    facts: () => [entries('missing', 1, split)],
  },
  'the newest segment': {
    left: (lines) => ({ 1: lines.slice(0, split) }),
    facts: (last) => [entries('cut_off', split + 1, last)],
  },
}

/** A library of old files whose log has lost entries, with its index or without. */
async function withLoss(loss: Loss, hasIndex = false) {
  const folder = await copyOf(made.folder)
  const log = join(folder, 'log')
  const whole = await readFile(join(log, firstSegment))
  const ends = [...whole.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []))
  const lines = ends.map((end, at) => whole.subarray(ends[at - 1] ?? 0, end))
  await rm(join(folder, 'checkpoints'), { recursive: true })
  await rm(join(folder, 'index.db'))
  if (hasIndex) {
    await writeSegments(log, { 1: lines.slice(0, split), [split + 1]: lines.slice(split) })
    ;(await openQuickly(folder)).close()
  }
  await rm(log, { recursive: true })
  await mkdir(log)
  await writeSegments(log, loss.left(lines))
  await rm(join(folder, 'staging'), { recursive: true, force: true })
  for (const file of await filesIn(folder)) await utimes(file, longAgo, longAgo)
  return { folder, last: lines.length }
}

async function writeSegments(log: string, segments: Record<number, Lines>): Promise<void> {
  for (const [first, lines] of Object.entries(segments))
    await writeFile(join(log, `${first.padStart(20, '0')}.jsonl`), Buffer.concat(lines))
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true })
  return found.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

/** Of what the library has; files of versions that were pruned after the loss are gone. */
const aboutNames = new Set(['reference_missing', 'file_missing'])
const besides = (findings: Awaited<ReturnType<typeof findingsOf>>) =>
  findings.filter(({ kind }) => !aboutNames.has(kind))
const factsOf = (findings: Awaited<ReturnType<typeof findingsOf>>) => besides(findings).map(({ facts }) => facts)

describe.each(Object.entries(losses))('a library that has lost %s of its log, and its index', (_name, loss) => {
  test('keeps all files and says what is lost, at every opening, until a person gives the entries up', async () => {
    const { folder, last } = await withLoss(loss)
    const before = await filesIn(folder)
    for (let opening = 0; opening < 2; opening += 1) {
      const galley = await open(folder, made)
      const { care, index } = galley
      expect(factsOf(await findingsOf(galley))).toEqual(loss.facts(last))
      expect(factsOf(await findingsOf(galley, { repair: true }))).toEqual(loss.facts(last))
      const refused = { ok: false, failure: { code: 'log_damaged' } }
      expect(await care.collect({ dryRun: false, emptyLostAndFound: true }, aRun())).toEqual(refused)
      const retention = { keepVersions: 1, keepDays: null }
      expect(await care.prune({ site: null, retention, dryRun: false }, aRun())).toEqual(refused)
      const materials = { site: 'acme', materialIds: ['post/one'], dryRun: false }
      expect(await care.deleteMaterials(materials, aRun())).toEqual(refused)
      expect(await care.erase({ email: 'a@example.org', dryRun: false, backupFolders: [] }, aRun())).toEqual(refused)
      index.rules.pause(null, { reason: 'an entry behind them', since: now().toISOString() })
      await galley.close()
      expect(await filesIn(folder)).toEqual(before)
    }

    await rebuildLibrary(folder, { from: 'index', now })
    const galley = await open(folder, made)
    const collected = await galley.care.collect({ dryRun: false, emptyLostAndFound: false }, aRun())
    expect(collected).toMatchObject({ ok: true })
    expect(factsOf(await findingsOf(galley))).toEqual([])
  })
})

test('a log without its first segment is not taken for a folded one where the index has it', async () => {
  const loss = losses['the first segment']
  if (!loss) throw new Error('There is no such loss')
  const { folder, last } = await withLoss(loss, true)
  const before = await filesIn(folder)
  const galley = await open(folder, made)
  const [kind] = await findingsOf(galley)
  expect(kind).toMatchObject({ kind: 'log_damaged', facts: loss.facts(last)[0], fixable: false })
  expect(await galley.care.collect({ dryRun: false, emptyLostAndFound: true }, aRun())).toMatchObject({
    ok: true,
    value: { files: 0, setAside: { files: 0 } },
  })
  expect(await filesIn(folder)).toEqual(before)
})

test('a damaged last line is the only finding', async () => {
  const { folder } = await withLoss({
    left: (lines) => ({ 1: [...lines.slice(0, -1), Buffer.from(lines.at(-1) ?? '').fill('#', 300, 310)] }),
    facts: () => [],
  })
  for (let rebuild = 0; rebuild < 2; rebuild += 1) {
    const library = await openQuickly(folder)
    const { position } = library.index.commit.mark()
    library.close()
    const galley = await open(folder, made)
    expect(factsOf(await findingsOf(galley))).toEqual([entries('damaged', position + 1)])
    await galley.close()
    await rebuildLibrary(folder, { from: 'log', now })
  }
})

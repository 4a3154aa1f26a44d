import { copyFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { rebuildLibrary } from '../../../../packages/library/care/rebuild.ts'
import { memberFile } from '../../../../packages/library/team/member-file.ts'
import type { MadeLibrary } from './library.ts'
import {
  copyOf,
  expectWhole,
  expectWholeAfterOpening,
  factsOf,
  firstSegment,
  forever,
  makeLibrary,
  now,
  open,
  openQuickly,
  removeIndex,
  savedFiles,
} from './library.ts'

// An older copy of the index was put back, and the log lost entries after it: only a checkpoint has them.

let made: MadeLibrary
beforeAll(async () => {
  made = await makeLibrary()
})
afterAll(() => made.remove())

/** The position of an index. */
function positionOf(file: string): number {
  const db = new BetterSqlite3(file, { readonly: true })
  try {
    return db.prepare<[], number>('SELECT position FROM applied').pluck().get() ?? 0
  } finally {
    db.close()
  }
}

const logFile = join('log', firstSegment)
const linesOf = async (folder: string): Promise<readonly string[]> =>
  (await readFile(join(folder, logFile), 'utf8')).split('\n').slice(0, -1)

/** A library with a checkpoint of everything and an older index. `keep`: which lines of the log remain. */
async function withOlderIndex(keep: (line: string, position: number) => string | null): Promise<string> {
  const folder = await copyOf(made.folder)
  const library = await openQuickly(folder)
  await library.writeCheckpoint(forever)
  library.close()
  await removeIndex(folder)
  await copyFile(made.older, join(folder, 'index.db'))
  const kept = (await linesOf(folder)).flatMap((line, at) => keep(line, at + 1) ?? [])
  if (kept.length === 0) await rm(join(folder, 'log'), { recursive: true })
  else await writeFile(join(folder, logFile), kept.map((line) => `${line}\n`).join(''))
  return folder
}

test.each([
  ['that is gone', () => null],
  ['that ends before the index', (line: string, at: number) => (at < positionOf(made.older) ? line : null)],
  ['that ends after the index', (line: string, at: number) => (at < positionOf(made.older) + 2 ? line : null)],
] as const)('beside a log %s: a mismatch, and a new log from the index has everything', async (_, keep) => {
  const folder = await withOlderIndex(keep)
  const before = await savedFiles(folder)
  const opened = await openQuickly(folder)
  expect(opened.state).toBe('log_mismatch')
  expect(made.sent.every((sent) => factsOf(opened.index, sent) !== null)).toBe(true)
  opened.close()
  expect((await readdir(folder)).filter((name) => /^index\.db\.set-aside-[\dTZ-]+$/.test(name))).toHaveLength(1)
  const again = await openQuickly(folder)
  expect([again.state, again.notes]).toEqual(['log_mismatch', []])
  again.close()
  expect(await rebuildLibrary(folder, { from: 'index', now })).toMatchObject({ versions: 6, lost: [] })
  await expectWhole(await open(folder, made), made)
  expect(await savedFiles(folder)).toEqual(before)
})

test('beside a log that is gone: also if a new log is asked for at once', async () => {
  const folder = await withOlderIndex(() => null)
  expect(await rebuildLibrary(folder, { from: 'index', now })).toMatchObject({ versions: 6, lost: [] })
  await expectWhole(await open(folder, made), made)
})

test('beside a shorter log, if a person chooses that: what only the checkpoint has is named, and it is set aside', async () => {
  const folder = await withOlderIndex((line, at) => (at < positionOf(made.older) + 2 ? line : null))
  const end = (await linesOf(folder)).length
  const [checkpoint = ''] = (await readdir(join(folder, 'checkpoints'))).toSorted().toReversed()
  const report = await rebuildLibrary(folder, { from: 'log', now })
  const lost = { kind: 'entry', id: `${end + 1}-${Number(checkpoint.slice(0, 20))}`, reason: 'only_in_old_index' }
  expect([report.position, report.lost]).toEqual([end, [lost]])
  const aside = (await readdir(folder)).find((name) => name.startsWith('checkpoints.set-aside-')) ?? ''
  expect(await readdir(join(folder, aside))).toEqual([checkpoint])
  const opened = await openQuickly(folder)
  expect([opened.state, opened.notes]).toEqual(['whole', []])
  opened.close()
})

test('beside a log with a damaged line between the two: everything is there', async () => {
  const folder = await withOlderIndex((line, at) => (at === positionOf(made.older) + 2 ? line.replace('"', "'") : line))
  const opened = await openQuickly(folder)
  expect(opened.state).toBe('whole')
  expect(opened.notes).toMatchObject([{ kind: 'rebuilt', cause: 'behind_checkpoint' }])
  expect(made.sent.every((sent) => factsOf(opened.index, sent) !== null)).toBe(true)
  opened.close()
})

test('of a log that was replaced, which lacks later saves: not used', async () => {
  const folder = await copyOf(made.folder)
  const { logSetAside } = await rebuildLibrary(folder, { from: 'index', now })
  for (const name of ['log', 'checkpoints']) await rm(join(folder, name), { recursive: true })
  await rename(join(logSetAside ?? '', 'checkpoints'), join(folder, 'checkpoints'))
  const opened = await openQuickly(folder)
  expect([opened.state, opened.notes]).toEqual(['log_mismatch', []])
  expect(made.sent.every((sent) => factsOf(opened.index, sent) !== null)).toBe(true)
  opened.close()
})

test('in a member of a team, beside a short copy of its log: not used, since the bucket has what is missing', async () => {
  const folder = await withOlderIndex((line, at) => (at < positionOf(made.older) + 2 ? line : null))
  await writeFile(join(folder, memberFile), '{}')
  const opened = await openQuickly(folder)
  expect([opened.state, opened.notes.map(({ kind }) => kind)]).toEqual(['whole', ['cut_off']])
  opened.close()
})

test('beside a whole log: the log after the index is applied', async () => {
  const folder = await withOlderIndex((line) => line)
  expect(await expectWholeAfterOpening(folder, made)).toEqual([])
})

test('another name in library.json than in log and index is refused by name; without the file, theirs counts', async () => {
  const folder = await copyOf(made.folder)
  const lines = await linesOf(folder)
  await writeFile(
    join(folder, logFile),
    lines
      .slice(0, -3)
      .map((line) => `${line}\n`)
      .join(''),
  )
  const named = await readFile(join(folder, 'library.json'), 'utf8')
  await writeFile(join(folder, 'library.json'), named.replace(/"library":"./, '"library":"~'))
  await expect(openQuickly(folder)).rejects.toThrow(/that of another library \(.*delete library\.json/)
  await rm(join(folder, 'library.json'))
  const opened = await openQuickly(folder)
  expect([opened.state, opened.notes]).toEqual(['log_mismatch', []])
  opened.close()
  expect(await readFile(join(folder, 'library.json'), 'utf8')).toBe(named)
})

import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { rebuildLibrary } from '../../../../packages/library/care/rebuild.ts'
import { NewerLibraryError } from '../../../../packages/library/db/database/other-versions.ts'
import { carryOver } from '../../../../packages/library/db/open/carry-over.ts'
import { compareIndexes } from '../../../../packages/library/db/open/compare-index.ts'
import { temporaryFolder } from '../../../support/test-galley.ts'
import { inEarlierSchema, pack, setVersion, today } from '../../db/other-schema.ts'
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
} from './library.ts'

// A new version of Galley opens the index and checkpoints of an earlier one, when the log no longer has all entries.

let made: MadeLibrary
beforeAll(async () => {
  made = await makeLibrary()
})
afterAll(() => made.remove())

/** A library whose log begins with a checkpoint, as after erasing a person. */
async function foldedLibrary(): Promise<{ readonly folder: string; readonly checkpoint: string }> {
  const folder = await copyOf(made.folder)
  const library = await openQuickly(folder)
  await library.foldLog(forever)
  library.close()
  const [name = ''] = await readdir(join(folder, 'checkpoints'))
  return { folder, checkpoint: join(folder, 'checkpoints', name) }
}

/** Replaces the index by one with an earlier schema. */
async function becomeEarlier(folder: string): Promise<string> {
  const earlier = await inEarlierSchema(join(folder, 'index.db'))
  await removeIndex(folder)
  await writeFile(join(folder, 'index.db'), await readFile(earlier))
  return earlier
}

test('an index of the same schema is carried over row by row', async () => {
  const target = join(await temporaryFolder(), 'index.db')
  await carryOver(join(made.folder, 'index.db'), target)
  expect(await compareIndexes(join(made.folder, 'index.db'), target)).toEqual([])
})

test('triggers and views of a planted index are not carried over', async () => {
  const planted = await inEarlierSchema(join(made.folder, 'index.db'))
  const db = new BetterSqlite3(planted)
  db.exec(`CREATE TRIGGER planted AFTER INSERT ON version BEGIN DELETE FROM version; END;
    DROP TABLE site_setting; CREATE VIEW site_setting AS SELECT 'acme' AS site, '[]' AS editors`)
  db.close()
  const target = join(await temporaryFolder(), 'index.db')
  await carryOver(planted, target)
  const carried = new BetterSqlite3(target, { readonly: true })
  expect(carried.prepare(`SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view')`).all()).toEqual([])
  expect(carried.prepare('SELECT * FROM site_setting').all()).toEqual([])
  carried.close()
})

describe('a library whose log was folded, opened by a version of Galley with another schema', () => {
  test('with an index of an earlier schema: it is carried over', async () => {
    const { folder, checkpoint } = await foldedLibrary()
    await rm(checkpoint)
    await becomeEarlier(folder)
    const notes = await expectWholeAfterOpening(folder, made)
    expect(notes).toMatchObject([{ kind: 'rebuilt', cause: 'other_schema', report: { unapplied: [] } }])
  })

  test('without an index, with a checkpoint of an earlier schema: that is carried over', async () => {
    const { folder, checkpoint } = await foldedLibrary()
    const earlier = await inEarlierSchema(join(folder, 'index.db'))
    await removeIndex(folder)
    await pack(earlier, checkpoint)
    const notes = await expectWholeAfterOpening(folder, made)
    expect(notes).toMatchObject([{ kind: 'rebuilt', cause: 'missing', report: { unapplied: [] } }])
  })

  test('of a later version: refused as such, and nothing is changed', async () => {
    const { folder, checkpoint } = await foldedLibrary()
    const later = join(await temporaryFolder(), 'later.db')
    await writeFile(later, await readFile(join(folder, 'index.db')))
    await setVersion(later, today + 1)
    await pack(later, checkpoint)
    await setVersion(join(folder, 'index.db'), today + 1)
    const index = await readFile(join(folder, 'index.db'))
    for (const which of ['index', 'checkpoint']) {
      await expect(openQuickly(folder), which).rejects.toThrow(NewerLibraryError)
      if (which === 'index') expect((await readFile(join(folder, 'index.db'))).equals(index)).toBe(true)
      expect(existsSync(checkpoint), which).toBe(true)
      await removeIndex(folder)
    }
  })
})

describe('a log that lost entries, and an index of an earlier schema that has them', () => {
  /** The offset of the line of the log that stored the save. */
  const lineStart = (log: Buffer, contentUrl: string): number => log.lastIndexOf(0x0a, log.indexOf(contentUrl)) + 1

  test('with a damaged line: nothing is lost', async () => {
    for (const sent of made.sent) {
      const folder = await copyOf(made.folder)
      await rm(join(folder, 'checkpoints'), { recursive: true })
      await becomeEarlier(folder)
      const file = join(folder, 'log', firstSegment)
      const log = await readFile(file)
      const at = lineStart(log, sent.contentUrl) + 150
      log[at] = (log[at] ?? 0) ^ 0x20
      await writeFile(file, log)
      const library = await openQuickly(folder)
      expect(library.state).toBe('whole')
      expect(library.notes).toMatchObject([{ kind: 'rebuilt', cause: 'other_schema', report: { unapplied: [] } }])
      for (const each of made.sent) expect(factsOf(library.index, each), each.versionId).not.toBeNull()
      library.close()
    }
  })

  test('with a cut end: a mismatch, and the index restores everything', async () => {
    const folder = await copyOf(made.folder)
    await rm(join(folder, 'checkpoints'), { recursive: true })
    await becomeEarlier(folder)
    const file = join(folder, 'log', firstSegment)
    const log = await readFile(file)
    await writeFile(file, log.subarray(0, lineStart(log, made.sent.at(-1)?.contentUrl ?? '')))
    const library = await openQuickly(folder)
    expect(library.state).toBe('log_mismatch')
    library.close()
    expect((await rebuildLibrary(folder, { from: 'index', now })).lost).toEqual([])
    const galley = await open(folder, made)
    await expectWhole(galley, made)
  })
})

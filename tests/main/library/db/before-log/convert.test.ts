import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'

import { indexBeforeLog } from '../../../../../src/main/library/db/before-log/convert.ts'
import { compareWithLog } from '../../../../../src/main/library/db/compare-index.ts'
import { MigrationError } from '../../../../../src/main/library/db/database/migrate.ts'
import { databaseFiles } from '../../../../../src/main/library/db/database/open.ts'
import type { OpenedLibrary } from '../../../../../src/main/library/db/open-library.ts'
import { logStart } from '../../../../../src/main/library/log/mark.ts'
import { temporaryFolder } from '../../../../support/test-galley.ts'
import { runScript } from '../run-script.ts'
import { openAgain } from '../sample.ts'
import { fillOldLibrary } from './old-library.ts'
import { expectSameSeen } from './same-seen.ts'

const version = (db: BetterSqlite3.Database): unknown => db.pragma('user_version', { simple: true })

/** A library as an older Galley left it when it was killed: the last saves are not written back. */
async function olderLibrary(schema: number) {
  const folder = await temporaryFolder()
  const { index: file } = databaseFiles(folder)
  const made = join(await temporaryFolder(), 'index.db')
  const db = new BetterSqlite3(made)
  db.pragma('wal_autocheckpoint = 0')
  fillOldLibrary(db, schema)
  for (const end of ['', '-wal']) copyFileSync(`${made}${end}`, `${file}${end}`)
  db.close()
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(10_000)
  return { folder, file }
}

async function expectWhole(library: OpenedLibrary, folder: string): Promise<void> {
  expect(library.state).toBe('whole')
  expect(library.notes.filter(({ kind }) => kind !== 'rebuilt')).toEqual([])
  expect(library.index.library()).toBe('an-old-library')
  const [first] = [...library.log.read(logStart)]
  expect(first?.kind === 'entry' && first.entry.changes[0]).toMatchObject({
    kind: 'library_named',
    library: 'an-old-library',
  })
  const copy = join(await temporaryFolder(), 'copy.db')
  await library.index.copyTo(copy, () => undefined, new AbortController().signal)
  const compared = await compareWithLog(copy, {
    log: library.log,
    library: 'an-old-library',
    scratch: await temporaryFolder(),
  })
  expect([compared.differences, compared.built.unapplied]).toEqual([[], []])
  await expectSameSeen(folder)
}

describe.each([1, 2, 3, 4, 5])('a library of schema %i', (schema) => {
  it('is copied and then shows the same data', async () => {
    const { folder, file } = await olderLibrary(schema)
    const library = await openAgain(folder)
    expect(library.notes).toMatchObject([{ kind: 'rebuilt', cause: 'first_log', setAside: null }])

    const path = join(folder, indexBeforeLog)
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
    const copy = new BetterSqlite3(path, { readonly: true })
    expect([version(copy), copy.pragma('integrity_check', { simple: true })]).toEqual([schema, 'ok'])
    // Includes what had not been written back.
    expect(copy.prepare('SELECT count(*) AS versions FROM version').get()).toEqual({ versions: 6 })
    copy.close()

    await expectWhole(library, folder)
    const { index } = library
    // The same through the product's queries.
    expect(index.sites.list().map(({ id }) => id)).toEqual(['acme', 'other'])
    expect(index.secretMarks.marks('acme')).toEqual({
      secret: 'mark-1',
      callbackAuth: 'mark-2',
      bucketKeys: null,
    })
    expect(index.materials.find('acme', 'post-1')).toMatchObject({ currentVersionId: 'v2', versions: 3 })
    expect(index.versions.list('acme', 'pöst').map(({ versionId }) => versionId)).toEqual(['v9', 'v1'])
    expect(
      index.callbacks.storedDelivery('acme', 'article_saved', 'post-1', 'https://svc.test/acme post-1 v1'),
    ).toEqual({
      callback: 'acme post-1 v1',
      versionId: 'v1',
    })
    expect(index.snapshots.newest('acme')?.snapshotId).toBe('s2')
    expect(index.settings.get('port')).toBe('8787')
    const hasRules = schema >= 2
    expect(index.rules.of('acme').pause).toEqual(hasRules ? { reason: 'Elections', since: expect.any(String) } : null)
    expect(index.rules.pauseEverywhere()).toEqual(
      hasRules ? { reason: 'Moving house', since: expect.any(String) } : null,
    )
    expect(index.rules.refusalOf('acme', 'refused')).toBe(hasRules ? 'Locked by law' : null)
    expect(index.exports.count('acme')).toBe(hasRules ? 3 : 0)
    // The words of pages are in files, and read from them.
    expect(index.pageTexts.unread(10)).toHaveLength(3)
    expect(existsSync(`${file}-wal`) && existsSync(join(folder, 'converting'))).toBe(false)

    // The next opening has nothing to do.
    library.close()
    const before = readFileSync(path)
    const again = await openAgain(folder)
    expect([again.notes, again.state]).toEqual([[], 'whole'])
    expect(readFileSync(path).equals(before)).toBe(true)
    again.index.sites.put({ ...again.index.sites.list()[0], name: 'Changed' } as never)
    expect(again.index.sites.find('acme')?.name).toBe('Changed')
  })
})

describe('the conversion of an older library', () => {
  it('can be killed before each of its renames, and is completed by the next opening', async () => {
    let deaths = 0
    for (let at = 1; ; at += 1) {
      const { folder } = await olderLibrary(5)
      const isOver = (await runScript('die-at.ts', [folder, String(at)])) === 'opened\n'
      const library = await openAgain(folder)
      await expectWhole(library, folder)
      library.close()
      // In any case, the next opening is not blocked.
      expect((await openAgain(folder)).notes, `killed in front of change ${at}`).toEqual([])
      if (isOver) break
      deaths += 1
    }
    // Copy, local.db, log, old index, name, new index.
    expect(deaths).toBeGreaterThanOrEqual(6)
  }, 300_000)

  it('keeps the first copy if it was started before', async () => {
    const { folder } = await olderLibrary(3)
    mkdirSync(join(folder, 'converting'))
    const first = new BetterSqlite3(join(folder, indexBeforeLog))
    fillOldLibrary(first, 3)
    first.exec(`INSERT INTO setting VALUES ('mark', 'the first')`)
    first.close()
    const before = readFileSync(join(folder, indexBeforeLog))
    const library = await openAgain(folder)
    expect(library.state).toBe('whole')
    expect(readFileSync(join(folder, indexBeforeLog)).equals(before)).toBe(true)
    expect(existsSync(join(folder, 'converting'))).toBe(false)
  })

  it('leaves the library unchanged if it fails', async () => {
    const { folder, file } = await olderLibrary(2)
    const db = new BetterSqlite3(file)
    db.exec('CREATE INDEX material_by_current ON material (title)')
    const rows = db.prepare('SELECT * FROM version').all()
    db.close()
    for (const time of ['first', 'second']) {
      await expect(openAgain(folder), time).rejects.toThrow(MigrationError)
      await expect(openAgain(folder), time).rejects.toThrow(/could not be upgraded\. Nothing was changed\./)
    }
    const after = new BetterSqlite3(file)
    expect([version(after), after.prepare('SELECT * FROM version').all()]).toEqual([2, rows])
    after.exec('DROP INDEX material_by_current')
    after.close()
    expect(['log', 'library.json', 'local.db', 'converting'].filter((name) => existsSync(join(folder, name)))).toEqual(
      [],
    )
    // It succeeds when nothing blocks it any more.
    await expectWhole(await openAgain(folder), folder)
  })

  it('also fails for rows that no change can express, since they would be lost', async () => {
    const { folder, file } = await olderLibrary(5)
    const db = new BetterSqlite3(file)
    db.exec(`UPDATE callback SET steps = '[{"name":"download"}]' WHERE outcome = 'stored'`)
    db.close()
    await expect(openAgain(folder)).rejects.toThrow(MigrationError)
    expect(['log', 'library.json', 'local.db', 'converting'].filter((name) => existsSync(join(folder, name)))).toEqual(
      [],
    )
  })

  it('includes what was written after an earlier attempt was abandoned', async () => {
    const { folder, file } = await olderLibrary(5)
    // Killed before its log was in place.
    for (let at = 1; !existsSync(join(folder, indexBeforeLog)); at += 1)
      await runScript('die-at.ts', [folder, String(at)])
    expect(existsSync(join(folder, 'log'))).toBe(false)
    const old = new BetterSqlite3(file)
    old.exec(`INSERT INTO setting VALUES ('written', 'by the older Galley')`)
    old.close()
    const library = await openAgain(folder)
    expect(library.index.settings.get('written')).toBe('by the older Galley')
  })
})

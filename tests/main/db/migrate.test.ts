import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'

import { readRemark } from '../../../src/contract/remark.ts'
import { indexBeforeLog } from '../../../src/main/db/before-log/convert.ts'
import { migrationsBeforeLog } from '../../../src/main/db/before-log/migrations.ts'
import { compareWithLog } from '../../../src/main/db/compare-index.ts'
import { migrate, MigrationError, NewerLibraryError } from '../../../src/main/db/migrate.ts'
import { databaseFiles } from '../../../src/main/db/open.ts'
import type { OpenedLibrary } from '../../../src/main/db/open-library.ts'
import { logStart } from '../../../src/main/log/log.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { fillOldLibrary } from './old-library.ts'
import { openAgain } from './sample.ts'

const newest = migrationsBeforeLog.length
const version = (db: BetterSqlite3.Database): unknown => db.pragma('user_version', { simple: true })

const names = (db: BetterSqlite3.Database, type: string): readonly string[] =>
  db
    .prepare<[string], { name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = ? AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'material_text_%'
       ORDER BY name`,
    )
    .all(type)
    .map(({ name }) => name)

function inMemory(): BetterSqlite3.Database {
  const db = new BetterSqlite3(':memory:')
  onTestFinished(() => void db.close())
  return db
}

const interfaceTables: readonly string[] = [
  ...['blob', 'callback', 'export', 'export_page', 'font_file', 'material', 'material_tag', 'material_text', 'media'],
  ...['page_font', 'saved_view', 'setting', 'site', 'site_rule', 'snapshot', 'version'],
]

const tablesOf: readonly (readonly string[])[] = [
  [],
  ['blob', 'callback', 'font_file', 'material', 'material_text', 'media', 'setting', 'site', 'snapshot', 'version'],
  interfaceTables,
  interfaceTables,
  interfaceTables,
  interfaceTables,
]

describe('the schemas that had no log', () => {
  it('are five, and no further one is added', () => {
    expect(newest).toBe(5)
    expect(tablesOf).toHaveLength(newest + 1)
  })

  for (const [target, tables] of tablesOf.entries()) {
    it(`lead an empty file to schema ${target}, exactly, and from there to the newest`, () => {
      const db = inMemory()
      migrate(db, migrationsBeforeLog, target)
      expect(version(db)).toBe(target)
      expect(names(db, 'table')).toEqual(tables)
      migrate(db, migrationsBeforeLog)
      expect(version(db)).toBe(newest)
      expect(names(db, 'table')).toEqual(tablesOf.at(-1))
    })
  }

  it('leave a file alone that is up to date, or that is asked for an older schema', () => {
    const db = inMemory()
    migrate(db, migrationsBeforeLog)
    const before = db.prepare('SELECT * FROM sqlite_schema').all()
    migrate(db, migrationsBeforeLog)
    migrate(db, migrationsBeforeLog, 0)
    expect(db.prepare('SELECT * FROM sqlite_schema').all()).toEqual(before)
    expect(version(db)).toBe(newest)
  })

  it('leave nothing behind when a step fails', () => {
    const db = inMemory()
    db.exec('CREATE TABLE version (x)')
    expect(() => migrate(db, migrationsBeforeLog)).toThrow(MigrationError)
    expect(names(db, 'table')).toEqual(['version'])
    expect(version(db)).toBe(0)
    expect(db.inTransaction).toBe(false)
  })
})

it('the tables of today are strict', async () => {
  const { files } = await libraryFiles()
  for (const file of [files.index, files.local]) {
    const db = new BetterSqlite3(file, { readonly: true })
    const loose = db
      .prepare(
        `SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND schema = 'main'
           AND name NOT LIKE 'sqlite_%'`,
      )
      .all()
    db.close()
    expect(loose).toEqual([])
  }
})

async function libraryFiles() {
  const folder = await temporaryFolder()
  const library = await openAgain(folder)
  library.close()
  return { folder, files: databaseFiles(folder) }
}

/** A library as an older Galley left it when it was killed: what was last saved is not written back. */
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

const callbackColumns =
  'id, site, received_at, kind, material_id, content_url, signature, payload, outcome, http_status, rc, code, rm, version_id, duplicate_of, steps, duration_ms, headers, body_bytes, signature_hash, signature_form, facts'
const ofVersion = `SELECT m.site, m.material_id, v.version_id`
const siteColumns =
  'id, name, environment, base_url, api_key, callback_url, public_url, allowed_domains, download_origins, signature_header, publish, unknown_materials, callback_auth, max_content_bytes, request_timeout_ms, download_timeout_ms, removed_at'

/** What people see of a library, by names and not by row ids; where they differ, first as it was and then as it is. */
const seen: readonly (readonly [string, string, string?])[] = [
  ['sites', `SELECT ${siteColumns} FROM site ORDER BY id`],
  [
    'marks of the keychain',
    'SELECT id, secret_mark, callback_auth_mark FROM site WHERE secret_mark IS NOT NULL OR callback_auth_mark IS NOT NULL ORDER BY id',
    'SELECT site AS id, secret AS secret_mark, callback_auth AS callback_auth_mark FROM local.secret_mark ORDER BY site',
  ],
  ['rules', 'SELECT site, editors, token_action, token_key FROM site_rule ORDER BY site'],
  [
    'pauses',
    `SELECT site, pause_reason AS reason, paused_since AS since FROM site_rule WHERE paused_since IS NOT NULL
     UNION ALL SELECT '', value ->> '$.reason', value ->> '$.since' FROM setting WHERE name = 'save-pause' ORDER BY 1`,
    'SELECT site, reason, since FROM save_pause ORDER BY site',
  ],
  [
    'materials, in their order',
    `SELECT m.site, m.material_id, title, slug, title_key, session_id, fingerprint, editor_url, last_access, sent_metadata,
       opened_callback_url, version_count, total_bytes, saved_at, editor, status, refused_reason, refused_since,
       (SELECT version_id FROM version WHERE id = m.current_version) AS current FROM material m ORDER BY m.id`,
  ],
  [
    'tags',
    'SELECT t.site, material_id, tag FROM material_tag t JOIN material m ON m.id = t.material ORDER BY m.id, tag',
  ],
  [
    'versions, newest first',
    `${ofVersion}, version_cdate, received_at, user_email, html_sha256, state_sha256, metadata, archive_sha256, kept_sha256,
       media_count, size_bytes, public_base, pinned, tags, note, verdict, verdict_note, verdict_at
     FROM version v JOIN material m ON m.id = v.material ORDER BY m.id, v.cdate_ms DESC, v.id DESC`,
  ],
  ['versions, as they came', `${ofVersion} FROM version v JOIN material m ON m.id = v.material ORDER BY m.id, v.id`],
  [
    'media',
    `${ofVersion}, f.name, f.sha256, f.size_bytes FROM media f JOIN version v ON v.id = f.version
     JOIN material m ON m.id = v.material ORDER BY m.id, v.id, f.name`,
  ],
  [
    'font sets, as they came',
    `SELECT site, snapshot_id, received_at, css_sha256, tree_sha256, answer_sha256, archive_sha256, kept_sha256, public_base
     FROM snapshot ORDER BY id`,
  ],
  [
    'font files',
    'SELECT site, snapshot_id, f.name, f.sha256, f.size_bytes FROM font_file f JOIN snapshot s ON s.id = f.snapshot ORDER BY s.id, name',
  ],
  // What nothing names is no part of the library: its file is set aside by the next cleaning.
  [
    'files that something needs',
    `SELECT * FROM blob WHERE sha256 IN (SELECT html_sha256 FROM version UNION SELECT state_sha256 FROM version
       UNION SELECT kept_sha256 FROM version UNION SELECT sha256 FROM media UNION SELECT sha256 FROM font_file
       UNION SELECT css_sha256 FROM snapshot UNION SELECT kept_sha256 FROM snapshot UNION SELECT tree_sha256 FROM snapshot
       UNION SELECT answer_sha256 FROM snapshot) ORDER BY sha256`,
    'SELECT * FROM blob ORDER BY sha256',
  ],
  ['exports', 'SELECT id, site, at, wish, report, pages FROM export ORDER BY arrival'],
  [
    'versions that exports hold',
    `${ofVersion}, e.id FROM export_page p JOIN export e ON e.arrival = p.export JOIN version v ON v.id = p.version
     JOIN material m ON m.id = v.material ORDER BY e.arrival, v.id`,
  ],
  [
    'the ledger',
    `SELECT id AS callback, site, kind, material_id, content_url, version_id FROM callback WHERE outcome = 'stored' ORDER BY id`,
    'SELECT callback, site, kind, material_id, content_url, version_id FROM delivery ORDER BY callback',
  ],
  ['callbacks', `SELECT ${callbackColumns} FROM callback ORDER BY arrival`],
  ['saved views', 'SELECT * FROM saved_view ORDER BY site, subject, name'],
  [
    'settings',
    `SELECT * FROM setting WHERE name NOT IN ('library', 'save-pause') ORDER BY name`,
    'SELECT * FROM setting ORDER BY name',
  ],
  ['fonts of pages', 'SELECT html_sha256, families, own, asked FROM page_font ORDER BY html_sha256'],
  [
    'what the search knows beside the words of pages',
    `SELECT m.site, t.material_id, t.title, t.tags FROM material_text t JOIN material m ON m.id = t.rowid
     WHERE session_id IS NOT NULL OR version_count > 0 ORDER BY m.id`,
  ],
]

/** Remarks as codes, whether they were stored as sentences or as codes. */
function remarksOf(db: BetterSqlite3.Database): unknown {
  const rows = db
    .prepare<[], { name: string; warnings: string }>(
      `SELECT * FROM (SELECT m.site || ' ' || m.material_id || ' ' || v.version_id AS name, warnings FROM version v
         JOIN material m ON m.id = v.material UNION ALL SELECT snapshot_id, warnings FROM snapshot) ORDER BY name`,
    )
    .all()
  return rows.map(({ name, warnings }) => [
    name,
    (JSON.parse(warnings) as unknown[]).map((each) => (typeof each === 'string' ? readRemark(each) : each)),
  ])
}

/** Compares what an old index showed with what the library shows now. */
async function expectSameSeen(folder: string): Promise<void> {
  const copy = join(await temporaryFolder(), 'old.db')
  copyFileSync(join(folder, indexBeforeLog), copy)
  const old = new BetterSqlite3(copy)
  migrate(old, migrationsBeforeLog)
  const { index, local } = databaseFiles(folder)
  const now = new BetterSqlite3(index, { readonly: true })
  now.prepare('ATTACH ? AS local').run(local)
  try {
    for (const [what, before, after = before] of seen) {
      const rows = old.prepare(before).all()
      expect(now.prepare(after).all(), what).toEqual(rows)
    }
    expect(remarksOf(now)).toEqual(remarksOf(old))
  } finally {
    old.close()
    now.close()
  }
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
  it('is copied as it is and then shows the same things', async () => {
    const { folder, file } = await olderLibrary(schema)
    const library = await openAgain(folder)
    expect(library.notes).toMatchObject([{ kind: 'rebuilt', cause: 'first_log', setAside: null }])

    const path = join(folder, indexBeforeLog)
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
    const copy = new BetterSqlite3(path, { readonly: true })
    expect([version(copy), copy.pragma('integrity_check', { simple: true })]).toEqual([schema, 'ok'])
    // With what had not been written back.
    expect(copy.prepare('SELECT count(*) AS versions FROM version').get()).toEqual({ versions: 6 })
    copy.close()

    await expectWhole(library, folder)
    const { index } = library
    // The same through the eyes of those who ask.
    expect(index.sites.list().map(({ id }) => id)).toEqual(['acme', 'other'])
    expect(index.secretMarks.marks('acme' as never)).toEqual({ secret: 'mark-1', callbackAuth: 'mark-2' })
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
    // The words of pages are in files, and read from there.
    expect(index.pageTexts.unread(10)).toHaveLength(3)
    expect(existsSync(`${file}-wal`) && existsSync(join(folder, 'converting'))).toBe(false)

    // The next opening finds nothing to do.
    library.close()
    const before = readFileSync(path)
    const again = await openAgain(folder)
    expect([again.notes, again.state]).toEqual([[], 'whole'])
    expect(readFileSync(path).equals(before)).toBe(true)
    again.index.sites.put({ ...again.index.sites.list()[0], name: 'Changed' } as never)
    expect(again.index.sites.find('acme')?.name).toBe('Changed')
  })
})

function runScript(script: string, args: readonly string[]): Promise<string> {
  const here = import.meta.dirname
  const child = spawn(
    process.execPath,
    [
      ...['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', '--import', join(here, 'raw-sql.ts')],
      ...[join(here, script), ...args],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return new Promise((resolve) => child.once('close', () => resolve(said)))
}

describe('the conversion of an older library', () => {
  it('may be killed in front of everything that it puts in its place, and is done by the next opening', async () => {
    let deaths = 0
    for (let at = 1; ; at += 1) {
      const { folder } = await olderLibrary(5)
      const isOver = (await runScript('die-at.ts', [folder, String(at)])) === 'opened\n'
      const library = await openAgain(folder)
      await expectWhole(library, folder)
      library.close()
      // Whatever came of it, nothing is in the way of the one after.
      expect((await openAgain(folder)).notes, `killed in front of change ${at}`).toEqual([])
      if (isOver) break
      deaths += 1
    }
    // Copy, local.db, log, old index, name, new index.
    expect(deaths).toBeGreaterThanOrEqual(6)
  }, 300_000)

  it('keeps the first copy when it was begun before', async () => {
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

  it('that fails leaves the library as it was', async () => {
    const { folder, file } = await olderLibrary(2)
    const db = new BetterSqlite3(file)
    db.exec('CREATE INDEX material_by_current ON material (title)')
    const rows = db.prepare('SELECT * FROM version').all()
    db.close()
    for (const time of ['first', 'second']) {
      await expect(openAgain(folder), time).rejects.toThrow(MigrationError)
      await expect(openAgain(folder), time).rejects.toThrow(/could not be brought up to date\. Nothing was changed\./)
    }
    const after = new BetterSqlite3(file)
    expect([version(after), after.prepare('SELECT * FROM version').all()]).toEqual([2, rows])
    after.exec('DROP INDEX material_by_current')
    after.close()
    expect(['log', 'library.json', 'local.db', 'converting'].filter((name) => existsSync(join(folder, name)))).toEqual(
      [],
    )
    // And is done when there is nothing in its way any more.
    await expectWhole(await openAgain(folder), folder)
  })

  it('of rows that no change can say fails too: nothing of them would be in the library', async () => {
    const { folder, file } = await olderLibrary(5)
    const db = new BetterSqlite3(file)
    db.exec(`UPDATE callback SET steps = '[{"name":"download"}]' WHERE outcome = 'stored'`)
    db.close()
    await expect(openAgain(folder)).rejects.toThrow(MigrationError)
    expect(['log', 'library.json', 'local.db', 'converting'].filter((name) => existsSync(join(folder, name)))).toEqual(
      [],
    )
  })

  it('takes up what was written after it had to be given up', async () => {
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

describe('a library of a newer Galley', () => {
  it.each(['wal', 'delete'])(
    'with an index of its own is refused by name and not touched (journal %s)',
    async (journal) => {
      const folder = await temporaryFolder()
      const { index: file } = databaseFiles(folder)
      const newer = new BetterSqlite3(file)
      newer.pragma(`journal_mode = ${journal}`)
      newer.exec('CREATE TABLE future (x)')
      newer.pragma(`user_version = ${newest + 1}`)
      newer.close()
      const before = readFileSync(file)
      for (const time of ['first', 'second']) {
        await expect(openAgain(folder), time).rejects.toThrow(NewerLibraryError)
        await expect(openAgain(folder), time).rejects.toThrow(
          /newer version of Galley \(schema 6, this one knows 5\)\. Nothing was changed/,
        )
      }
      expect(readFileSync(file).equals(before)).toBe(true)
      expect(readdirSync(folder).filter((name) => !/^(log|index|files)\.db/.test(name))).toEqual([])
    },
  )

  it('with a folder or a local.db of a later form is refused by name', async () => {
    const { folder, files } = await libraryFiles()
    const name = readFileSync(join(folder, 'library.json'), 'utf8')
    writeFileSync(join(folder, 'library.json'), name.replace('"format":1', '"format":2'))
    await expect(openAgain(folder)).rejects.toThrow(NewerLibraryError)
    writeFileSync(join(folder, 'library.json'), name)
    const local = new BetterSqlite3(files.local)
    local.pragma('user_version = 99')
    local.close()
    await expect(openAgain(folder)).rejects.toThrow(NewerLibraryError)
  })

  it('with an index of a later form is opened: its log says what is in it', async () => {
    const { folder, files } = await libraryFiles()
    const db = new BetterSqlite3(files.index)
    db.pragma('user_version = 99')
    db.close()
    const library = await openAgain(folder)
    expect(library.notes).toMatchObject([{ kind: 'rebuilt', cause: 'other_schema', setAside: expect.any(String) }])
    expect(library.state).toBe('whole')
  })
})

describe('a fresh library', () => {
  it('holds what a library needs, and nothing of an older one', async () => {
    const { folder } = await libraryFiles()
    expect(readdirSync(folder).toSorted()).toEqual(['index.db', 'library.json', 'local.db', 'log', 'log.db'])
  })

  it('may be opened by two connections of one process', async () => {
    const folder = await temporaryFolder()
    const both = [await openAgain(folder), await openAgain(folder)]
    both[0]?.index.settings.put('a', '1')
    expect(both[1]?.index.settings.get('a')).toBe('1')
    expect(both[0]?.index.library()).toBe(both[1]?.index.library())
  })

  it('may be opened by several processes at the same moment, and gets one name', async () => {
    for (let round = 0; round < 2; round += 1) {
      const folder = await temporaryFolder()
      const moment = String(Date.now() + 2_500)
      const children = Array.from({ length: 4 }, () => runScript('open-at.ts', [folder, moment]))
      expect(await Promise.all(children)).toEqual(children.map(() => 'ready\nopened\n'))
      const library = await openAgain(folder)
      expect(library.notes).toEqual([])
      expect([...library.log.read(logStart)]).toHaveLength(1)
      const db = new BetterSqlite3(databaseFiles(folder).local)
      expect(db.prepare('SELECT count(*) AS count FROM setting').get()).toEqual({ count: 4 })
      db.close()
    }
  })
})

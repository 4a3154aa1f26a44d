import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'

import { automaticBackupName } from '../../../packages/library/care/automatic-backups.ts'
import { restore } from '../../../packages/library/care/restore.ts'
import type { Progress } from '../../../packages/library/care/run.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import { openGalley } from '../../support/open-galley.ts'
import { aSave, createTestGalley, temporaryFolder } from '../../support/test-galley.ts'
import { traces } from '../../support/traces.ts'
import type { CaredLibrary } from './library.ts'
import { aCaredLibrary, aRun, reportOf } from './library.ts'

const ada = 'ada.l@example.test'
const bob = 'bob@example.test'
/** Three versions by Ada, two by Bob, a refused callback of each, and one row of every other kind that names Ada. */
async function withTwoPeople() {
  const library = await aCaredLibrary()
  const { galley, save } = library
  await galley.sessions.open({
    site: 'acme',
    materialId: 'post-1',
    title: null,
    slug: null,
    metadata: JSON.stringify({ editor: ada, team: 'news' }),
  })
  for (const [at, email] of [ada, bob, ada.toUpperCase(), bob, ada].entries())
    await save({
      versionId: `v${at}`,
      versionCdate: new Date(1.7e12 + at).toISOString(),
      metadata: { user_email: email, user_ip: email === bob ? '198.51.100.1' : '203.0.113.9', note: 'kept' },
      payload: { return_to: `https://acme.test/?user=${encodeURIComponent(email)}` },
    })
  galley.index.fields.set('site', 'acme', [{}], {
    editors: [
      { pattern: ada, reason: 'left' },
      { pattern: 'carl@example.test', reason: 'on leave' },
    ],
    expiredToken: { action: 'accept', key: 'token' },
  })
  const refused = aSave(library.service, { versionId: 'refused', metadata: { user_email: ada } })
  expect((await library.post(refused.body, refused.headers)).json).toMatchObject({ rc: 0, code: 'refused' })
  return library
}

const erase = ({ care }: CaredLibrary, dryRun = false) =>
  reportOf(care.erase({ email: ada, dryRun, backupFolders: [] }, aRun()))

const rowsOfBob = ({ rows }: CaredLibrary) => [
  rows(`SELECT * FROM version WHERE user_email = ?`, bob),
  rows(`SELECT * FROM local.callback WHERE instr(payload, ?) > 0`, bob),
]

describe('erasing a name', () => {
  it('leaves no trace of it in decisions, their reasons and messages about them, and others as they are', async () => {
    const library = await aCaredLibrary()
    const { galley, save, folder, care } = library
    for (const versionId of ['v1', 'v2'])
      await save({ versionId, versionCdate: `2026-11-0${versionId.slice(1)}T10:00:00Z` })
    await galley.webhooks.set('acme', { url: 'http://127.0.0.1:9/', namesInWebhook: true })
    const decided = [
      ['v1', 'Zoe Quist', 'As Zoe Quist said, not as Zoe Quistgaard did'],
      ['v2', 'zoe quist', ''],
      ['v2', 'Bob', 'Fine'],
    ] as const
    for (const [at, [versionId, by, reason]] of decided.entries())
      galley.index.fields.set('version', 'acme', [{ materialId: 'post-1', versionId }], {
        verdict: { decision: 'changes_requested', by, reason, at: new Date(1.7e12 + at).toISOString(), baseline: null },
      })
    galley.settings.change({ personName: 'Zoe Quist' })
    const erase = (dryRun: boolean) => reportOf(care.erase({ name: 'Zoe Quist', dryRun, backupFolders: [] }, aRun()))
    expect(await traces(folder, 'Zoe Quist"')).not.toEqual([])
    expect(await erase(true)).toMatchObject({ isDryRun: true, rows: 4, archives: 0 })
    expect(await erase(false)).toMatchObject({ isDryRun: false, rows: 4 })
    const left = galley.index.versionList.decisions('acme', 'post-1').map(({ by, reason }) => [by, reason])
    expect(left).toEqual([
      ['Bob', 'Fine'],
      ['[erased]', ''],
      ['[erased]', 'As [erased] said, not as Zoe Quistgaard did'],
    ])
    expect(galley.index.versionList.find('acme', 'post-1', 'v1')?.verdict?.by).toBe('[erased]')
    expect(galley.settings.read().personName).toBe('')
    const told = library.rows('SELECT body FROM local.webhook_delivery ORDER BY arrival')
    expect(told.map(({ body }) => JSON.parse(String(body)).data)).toMatchObject([
      { by: '[erased]', reason: 'As [erased] said, not as Zoe Quistgaard did', version_id: 'v1' },
      { by: '[erased]', reason: '', version_id: 'v2' },
      { by: 'Bob', reason: 'Fine', version_id: 'v2' },
    ])
    for (const trace of ['Zoe Quist"', 'Zoe Quist said']) expect(await traces(folder, trace), trace).toEqual([])
  })
})

describe('erasing a person', () => {
  it('leaves no trace of the person, and everybody else unchanged', async () => {
    const library = await withTwoPeople()
    const before = rowsOfBob(library)
    expect(before.map((rows) => rows.length)).toEqual([2, 2])
    expect(await traces(library.folder, ada)).not.toEqual([])

    const files = await library.filesOf()
    const foretold = await erase(library, true)
    expect(foretold).toMatchObject({ isDryRun: true, rows: 9, archives: 3 })
    expect(await library.filesOf()).toEqual(files)
    expect(await erase(library)).toEqual({ ...foretold, isDryRun: false })
    expect(await traces(library.folder, ada)).toEqual([])
    expect(rowsOfBob(library)).toEqual(before)

    const erased = library.rows('SELECT * FROM version WHERE user_email IS NULL')
    expect(erased).toHaveLength(3)
    for (const row of erased) {
      expect(JSON.parse(row['metadata'] ?? '')).toMatchObject({ note: 'kept', version_id: row['version_id'] })
      expect(row['metadata']).not.toContain('203.0.113.9')
      expect(row['kept_sha256']).not.toBe(row['archive_sha256'])
    }
    expect(library.rows('SELECT editor, sent_metadata FROM material')).toEqual([
      { editor: null, sent_metadata: '{"team":"news"}' },
    ])
    expect(library.index.rules.of('acme').editors).toHaveLength(1)
    expect(await erase(library)).toMatchObject({ rows: 0, archives: 0 })
  })

  it('counts the texts of releases that name the person, which are content, and empties the cache of exports', async () => {
    const library = await withTwoPeople()
    const [texts, derived] = [join(library.folder, 'releases', 'ab'), join(library.folder, 'derived')]
    await mkdir(texts, { recursive: true })
    await mkdir(derived)
    await writeFile(join(texts, 'one'), `<p>Write to ${ada}</p>`)
    await writeFile(join(texts, 'other'), `<p>Write to x${ada}</p>`)
    await writeFile(join(derived, 'pages-1'), ada)
    expect(await erase(library, true)).toMatchObject({ releaseTexts: 1 })
    expect(existsSync(derived)).toBe(true)
    expect(await erase(library)).toMatchObject({ releaseTexts: 1 })
    expect(await readdir(texts)).toEqual(['one', 'other'])
    expect(existsSync(derived)).toBe(false)
  })

  it('counts the font sets whose tree names the person, which is content', async () => {
    const library = await withTwoPeople()
    const tree = (by: string) => ({ list: [], by })
    for (const [id, by] of [
      ['s1', ada],
      ['s2', bob],
    ] as const)
      await library.saveFonts(
        id,
        { 'vms_fonts.css': '', 'vms_fonts.json': JSON.stringify(tree(by)), 'vms_fonts/a.woff2': 'x' },
        tree(by),
      )
    expect(await erase(library, true)).toMatchObject({ fontSets: 1 })
    expect(await erase(library)).toMatchObject({ fontSets: 1 })
  })

  it('deletes the remains of a dead save, which may name the person', async () => {
    const library = await withTwoPeople()
    await library.close()
    const left = join(library.folder, 'staging', 'of-a-save-that-died')
    await mkdir(left)
    await writeFile(join(left, 'archive.zip'), `cut off in the middle of ${ada}`)
    const galley = await openGalley({ folder: library.folder })
    await reportOf(galley.care.erase({ email: ada, dryRun: false, backupFolders: [] }, aRun()))
    expect(await traces(library.folder, ada)).toEqual([])
    await galley.close()
  })

  it('leaves an intact library that accepts saves, opens, rebuilds, and can be backed up and restored', async () => {
    const library = await withTwoPeople()
    await erase(library)
    await library.save({ versionId: 'later', metadata: { user_email: bob } })
    expect(await reportOf(library.care.check({ repair: false }, aRun()))).toMatchObject({ ok: true, findings: [] })
    const out = await temporaryFolder()
    const file = join(out, 'erased.galley-backup')
    await reportOf(library.care.backUp({ file }, aRun()))
    library.library.requestRebuild()
    await library.close()

    const again = await openGalley({ folder: library.folder })
    expect(again.library.notes).toMatchObject([
      { kind: 'rebuilt', cause: 'asked', report: { unapplied: [], versions: 6 } },
    ])
    expect(await reportOf(again.care.check({ repair: false }, aRun()))).toMatchObject({ ok: true, findings: [] })
    await again.close()

    const restored = join(out, 'restored')
    await reportOf(restore({ file, folder: restored, now: () => new Date() }, aRun()))
    expect(await traces(restored, ada)).toEqual([])
    const other = await openGalley({ folder: restored })
    expect(other.index.counts()).toEqual({ materials: 1, versions: 6 })
    expect(await reportOf(other.care.check({ repair: false }, aRun()))).toMatchObject({ ok: true, findings: [] })
    await other.close()
  })

  it('stopped before the log is folded leaves index and log consistent, and the next erase completes it', async () => {
    const library = await withTwoPeople()
    const stop = new AbortController()
    const onProgress = ({ step }: Progress) => step === 'deleting' && stop.abort()
    const options = { email: ada, dryRun: false, backupFolders: [] }
    const stopped = await library.care.erase(options, { signal: stop.signal, onProgress })
    expect(stopped).toEqual({ ok: false, failure: { code: 'cancelled', state: 'midway' } })
    expect(library.rows('SELECT 1 FROM version WHERE user_email IS NULL')).toHaveLength(3)
    expect(await traces(library.folder, ada)).not.toEqual([])
    expect(library.library.log.segments()).toEqual([1])
    expect(await reportOf(library.care.check({ repair: false }, aRun()))).toMatchObject({ ok: true, findings: [] })

    expect(await erase(library)).toMatchObject({ rows: 0, archives: 0 })
    expect(await traces(library.folder, ada)).toEqual([])
    expect(library.library.log.segments()).toHaveLength(1)
    expect(library.library.log.segments()).not.toEqual([1])
  })

  it('rewrites the index in a thread, and stores a save that arrives meanwhile', async () => {
    const library = await withTwoPeople()
    // The end of an erase waits for readers of an earlier state of the index.
    const reader = new BetterSqlite3(join(library.folder, 'index.db'), { readonly: true })
    onTestFinished(() => void reader.close())
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM version').get()
    const schema = () => library.db.pragma('schema_version', { simple: true })
    const before = schema()
    const erased = erase(library)
    await expect.poll(schema, { interval: 5 }).not.toBe(before)
    const files = (await library.filesOf()).length
    const saved = library.save({ versionId: 'meanwhile', metadata: { user_email: bob } })
    await expect.poll(async () => (await library.filesOf()).length, { interval: 5 }).toBeGreaterThan(files)
    reader.exec('COMMIT')
    await saved
    expect(await erased).toMatchObject({ archives: 3 })
    expect(await traces(library.folder, ada)).toEqual([])
    expect(library.rows(`SELECT 1 FROM version WHERE version_id = 'meanwhile'`)).toHaveLength(1)
  })

  it('keeps the library owned while the listener stops', async () => {
    const library = await withTwoPeople()
    const { galley: other } = await createTestGalley({ listen: false, edges: { folder: library.folder } })
    const seen: string[] = []
    let stopping: Promise<void> | null = null
    const onProgress = (): void => void (stopping ??= library.galley.listener.stop())
    const stateOf = async () => (await other.listener.start('127.0.0.1', 0)).kind
    const onStopped = Promise.withResolvers<void>()
    library.galley.listener.onState(
      ({ kind }) => kind === 'stopped' && void stateOf().then((kind) => (seen.push(kind), onStopped.resolve())),
    )
    const erased = library.care.erase({ email: ada, dryRun: false, backupFolders: [] }, { ...aRun(), onProgress })
    expect(await reportOf(erased)).toMatchObject({ archives: 3 })
    await onStopped.promise
    expect(seen).toEqual(['elsewhere'])
    expect(await stateOf()).toBe('listening')
  })

  it('lists the backups and old copies made before it, and deletes none', async () => {
    const library = await withTwoPeople()
    const out = await temporaryFolder()
    const byHand = join(out, 'by-hand.galley-backup')
    await reportOf(library.care.backUp({ file: byHand }, aRun()))
    const again = join(out, 'again.galley-backup')
    await reportOf(library.care.backUp({ file: again }, aRun()))
    const automatic = join(out, automaticBackupName(library.index.library(), new Date(Date.now() - 60_000)))
    await writeFile(automatic, 'of this library')
    await writeFile(join(out, automaticBackupName('another-library', new Date())), 'of another')
    const aside = join(library.folder, 'index.db.set-aside-2026-11-01')
    await writeFile(aside, 'an older index')
    const copies = [byHand, again, automatic, aside].toSorted()
    const options = { email: ada, dryRun: false, backupFolders: [out] }
    expect((await reportOf(library.care.erase(options, aRun()))).backups).toEqual(copies)
    // Listed again, in case the person did not write them down.
    expect((await reportOf(library.care.erase(options, aRun()))).backups).toEqual(copies)
    expect(copies.map((path) => existsSync(path))).toEqual([true, true, true, true])
  })

  it('lists archives of the person that no version uses, and no others', async () => {
    const library = await withTwoPeople()
    /** An archive of the library with one more byte, as if of a lost entry. */
    const anArchiveOf = async (email: string) => {
      const file = library.fileOf(`SELECT kept_sha256 FROM version WHERE user_email = '${email}'`)
      const bytes = Buffer.concat([(await readFile(file)).subarray(0, -2), Buffer.from([1, 0, 120])])
      return { name: createHash('sha256').update(bytes).digest('hex') as Sha256, bytes }
    }
    const [mine, theirs] = [await anArchiveOf(ada), await anArchiveOf(bob)]
    await erase(library)
    const aside = join(library.folder, 'lost-and-found')
    await mkdir(aside, { recursive: true })
    for (const { name, bytes } of [mine, theirs]) {
      await writeFile(library.galley.vault.pathOf(name), bytes)
      await writeFile(join(aside, `of-${name}`), bytes)
    }
    const listed = [library.galley.vault.pathOf(mine.name), join(aside, `of-${mine.name}`)]
    for (const dryRun of [true, false]) {
      const { backups } = await erase(library, dryRun)
      expect(backups).toEqual(expect.arrayContaining(listed))
      expect(backups).not.toContain(library.galley.vault.pathOf(theirs.name))
    }
  })

  it('that was interrupted lists them when it is completed', async () => {
    const library = await withTwoPeople()
    const backup = join(await temporaryFolder(), 'by-hand.galley-backup')
    await reportOf(library.care.backUp({ file: backup }, aRun()))
    const stop = new AbortController()
    const onProgress = ({ step }: Progress) => step === 'deleting' && stop.abort()
    const options = { email: ada, dryRun: false, backupFolders: [] }
    const stopped = await library.care.erase(options, { signal: stop.signal, onProgress })
    expect(stopped).toEqual({ ok: false, failure: { code: 'cancelled', state: 'midway' } })
    expect(await erase(library)).toMatchObject({ rows: 0, backups: [backup] })
  })

  it('changes nothing if the log has lost entries', async () => {
    const library = await withTwoPeople()
    const [segment = ''] = await readdir(join(library.folder, 'log'))
    const file = join(library.folder, 'log', segment)
    const bytes = await readFile(file)
    bytes[200] = 0
    await writeFile(file, bytes)
    const before = library.rows('SELECT * FROM version')
    const done = await library.care.erase({ email: ada, dryRun: false, backupFolders: [] }, aRun())
    expect(done).toEqual({ ok: false, failure: { code: 'log_damaged' } })
    expect(library.rows('SELECT * FROM version')).toEqual(before)
  })
})

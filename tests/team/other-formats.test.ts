import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'

import { openLog } from '../../packages/library/log/log.ts'
import { logStart } from '../../packages/library/log/mark.ts'
import { logFormat } from '../../packages/library/records/changes.ts'
import { entryKey } from '../../packages/library/team/keys.ts'
import { forgeAgain } from '../library/care/forged-backup.ts'
import { entryAround, lineAround } from '../support/hostile-entries.ts'
import { aTeam } from '../support/team.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { readWithYauzl } from '../support/unzip.ts'

// What version 0.1.0 does with what a later one wrote: refuses it in words where a format number is higher, and skips it as
// damage where the number says that it should be known.

const later = logFormat + 1
const unknown = JSON.stringify([{ kind: 'page_translated', site: 'acme', materialId: 'post-1', language: 'ru' }])

/** The line of an entry with an unknown kind of change, after the end of a log. */
function strangeLine(folder: string, format: number) {
  const end = [...openLog(folder).read(logStart)].at(-1)
  if (end?.kind !== 'entry') throw new Error('The log is empty')
  return { end: end.mark, ...lineAround(entryAround(end.mark, unknown, 'a-stranger', format)) }
}

/** A library with a save, a backup of it, and its team in a bucket. */
async function aSharedLibrary() {
  const team = await aTeam()
  const listener = await team.listen()
  expect((await listener.deliver(team.save({ materialId: 'post-1', versionId: 'v1' }))).json.rc).toBe(1)
  await listener.close()
  const backup = join(await temporaryFolder(), 'backup.galley')
  expect((await team.run(team.library, 'backup', backup)).code).toBe(0)
  return { ...team, backup }
}

/** Hashes of the files that no opening may change. */
async function contentsOf(folder: string): Promise<readonly string[]> {
  const found = (await readdir(folder, { recursive: true })).filter((name) => /\.(?:jsonl|db|json)$/.test(name))
  const hash = async (name: string) =>
    createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex')
  return Promise.all(found.toSorted().map(async (name) => `${name} ${await hash(name)}`))
}

function alter(file: string, statement: string): void {
  const db = new BetterSqlite3(file)
  db.exec(statement)
  db.close()
}

const opened = [
  ['materials', 'acme'],
  ['fsck'],
  ['rebuild'],
  ['site', 'add', 'acme', '--name', 'Other'],
  ['backup', '/dev/null/x'],
]
const words = /written by a newer version of Galley.*Nothing was changed\. Use the newer version/

it('a library with an unknown kind of a later format is refused, whichever version made its index', async () => {
  const { library, run } = await aSharedLibrary()
  const { end, bytes, hash } = strangeLine(library, later)
  const file = openLog(library).fileOf(end.segment)
  appendFileSync(file, bytes)
  const refused = async () => {
    const before = await contentsOf(library)
    for (const command of opened) {
      const { code, message } = (await run(library, ...command)).failure()
      expect([command, code, message]).toEqual([command, 'newer_library', expect.stringMatching(words)])
    }
    expect(await contentsOf(library)).toEqual(before)
  }
  await refused()
  const start = end.end
  alter(
    join(library, 'index.db'),
    `UPDATE applied SET position = ${end.position + 1}, hash = '${hash}', line_start = ${start}, line_end = ${start + bytes.length}`,
  )
  await refused()
})

it('a local.db of a later version is refused, and stays as it is', async () => {
  const { library, run } = await aSharedLibrary()
  alter(
    join(library, 'local.db'),
    'CREATE TABLE translation (page TEXT); PRAGMA journal_mode = DELETE; PRAGMA user_version = 2',
  )
  const before = await contentsOf(library)
  for (const command of opened)
    expect((await run(library, ...command)).failure()).toMatchObject({
      code: 'newer_library',
      message: expect.stringMatching(words) as string,
    })
  expect(await contentsOf(library)).toEqual(before)
})

it('an unknown kind with the number of today is damage: skipped, and named by fsck', async () => {
  const { library, run } = await aSharedLibrary()
  const { end, bytes } = strangeLine(library, logFormat)
  appendFileSync(openLog(library).fileOf(end.segment), bytes)
  const checked = (await run(library, 'fsck')).json()
  expect(checked).toMatchObject({ ok: true, findings: [{ kind: 'entry_skipped' }] })
  expect((await run(library, 'versions', 'acme', 'post-1')).json()).toMatchObject([{ version_id: 'v1' }])
})

it('a backup with anything of a later format is not restored; an unknown kind with the number of today is skipped', async () => {
  const { library, run, backup } = await aSharedLibrary()
  const { bytes } = strangeLine(library, later)
  const whole = await readFile(backup)
  const localDb = join(await temporaryFolder(), 'local.db')
  await writeFile(localDb, (await readWithYauzl(whole))['local.db'] ?? '')
  alter(localDb, 'CREATE TABLE translation (page TEXT); PRAGMA user_version = 2')
  const local = await readFile(localDb)
  const forgeries = [
    { log: (log: Buffer) => Buffer.concat([log, bytes]) },
    { manifest: (manifest: object) => ({ ...manifest, version: 2, translations: [] }) as never },
    { part: (path: string, part: Buffer) => (path === 'local.db' ? local : part) },
  ]
  for (const forgery of forgeries) {
    await writeFile(backup, whole)
    await forgeAgain(backup, forgery)
    const folder = join(await temporaryFolder(), 'restored')
    const { code, message } = (await run(folder, 'restore', backup)).failure()
    expect([Object.keys(forgery), code]).toEqual([Object.keys(forgery), 'newer_library'])
    expect(message).toMatch(/written by a newer Galley\. Nothing was restored.*Update Galley/)
    expect(await readdir(join(folder, '..'))).toEqual([])
  }
  await writeFile(backup, whole)
  const { bytes: damaged, end } = strangeLine(library, logFormat)
  await forgeAgain(backup, {
    log: (log) => Buffer.concat([log, damaged]),
    manifest: (manifest) => ({ ...manifest, position: end.position + 1 }),
  })
  const folder = join(await temporaryFolder(), 'restored')
  expect((await run(folder, 'restore', backup)).json()).toMatchObject({ versions: 1 })
  expect((await run(folder, 'fsck')).json()).toMatchObject({ findings: [{ kind: 'entry_skipped' }] })
})

it('a team is not joined past an unknown kind of a later format; one with the number of today is skipped', async () => {
  const team = await aSharedLibrary()
  expect((await team.import()).code).toBe(0)
  const { end, bytes } = strangeLine(team.library, later)
  const key = `library/${entryKey(end.position + 1)}`
  team.objects.set(key, bytes)
  const refused = (await team.join(await team.newFolder())).failure()
  expect(refused).toMatchObject({
    code: 'newer_library',
    message: expect.stringMatching(/newer Galley.*Update Galley/) as string,
  })
  team.objects.set(key, strangeLine(team.library, logFormat).bytes)
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  expect((await team.run(folder, 'fsck')).json()).toMatchObject({ findings: [{ kind: 'entry_skipped' }] })

  const marker = team.objects.get('library/library.json') ?? Buffer.alloc(0)
  team.objects.set('library/library.json', Buffer.from(marker.toString().replace('"galley":1', '"galley":2')))
  const other = (await team.join(await team.newFolder())).failure()
  expect(other.message).toMatch(/Another version of Galley wrote this team library.*Update Galley/)
})

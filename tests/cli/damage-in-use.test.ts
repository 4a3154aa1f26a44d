import { cp, mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { damageIndex } from '../support/damage-index.ts'
import type { AtEnd } from '../support/galley-process.ts'
import { aLibrary } from '../support/library-with-service.ts'
import { randomFrom } from '../support/random.ts'
import { createSaves, post, servedProblem } from '../support/saves.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { galley, startListen } from './support/cli.ts'

const patience = { interval: 100 }
const pageBytes = 4096
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at)

/** Overwrites pages of an index. */
async function overwrite(library: string, pages: readonly number[]): Promise<void> {
  await using file = await open(join(library, 'index.db'), 'r+')
  for (const page of pages) await file.write(Buffer.alloc(pageBytes, 0xaa), 0, pageBytes, (page - 1) * pageBytes)
}

/** Overwrites the second half of a file. */
async function overwriteHalf(file: string): Promise<void> {
  const { size } = await stat(file)
  await using handle = await open(file, 'r+')
  await handle.write(Buffer.alloc(size / 2, 0xaa), 0, size / 2, size / 2)
}

/** A library with saves whose listener was killed, so that its WAL is there, and a target that is not there. */
async function aKilledLibrary(folder: string, atEnd: AtEnd) {
  const { service, library, environment } = await aLibrary(folder, atEnd)
  const { prepare, acknowledge } = createSaves(service, randomFrom(13))
  const web = join(folder, 'web')
  await galley(['target', 'add', 'acme', 'web', `folder:${web}`, '--json', '--library', library], environment)
  const listener = await startListen(library, environment, { atEnd })
  const saves = [...Array.from({ length: 6 }, (_, at) => prepare('media', `post/${at % 3}`)), prepare('fonts', 'fonts')]
  for (const save of saves) acknowledge(save, (await post(listener.url, save))?.text ?? '')
  // Some pages have to be in the file, not only in the WAL.
  const db = new BetterSqlite3(join(library, 'index.db'))
  db.pragma('wal_checkpoint(TRUNCATE)')
  const pages = Number(db.pragma('page_count', { simple: true }))
  db.close()
  const last = prepare('media', 'post/0')
  acknowledge(last, (await post(listener.url, last))?.text ?? '')
  listener.child.kill('SIGKILL')
  await listener.ended
  return { web, library, environment, saves: [...saves, last], pages }
}

/** One of each kind, and for some the table that only this kind reads. OUT is a folder that is not there. */
const kinds: readonly (readonly [table: string, command: readonly string[]])[] = [
  ['material', ['materials', 'acme']],
  ['version', ['versions', 'acme', 'post/0']],
  ['blob', ['show', 'version', 'acme', 'post/0', 'VERSION', '--html']],
  ['snapshot', ['fonts', 'acme']],
  ['site', ['callbacks']],
  ['site', ['site', 'list']],
  ['site', ['site', 'add', 'acme', '--name', 'Acme']],
  ['material', ['material', 'archive', 'acme', 'post/0']],
  ['version', ['material', 'delete', 'acme', 'post/1']],
  ['page', ['page', 'acme', 'post/0', '--slug', 'harbour']],
  ['version', ['open', 'acme', 'post/0']],
  ['blob', ['export', 'acme', '--out', 'OUT']],
  ['blob', ['linkcheck', 'acme']],
  ['target', ['target', 'add', 'acme', 'other', 'folder:OUT']],
  ['release', ['publish', 'acme', '--target', 'web']],
  ['online_page', ['publish', 'acme', '--target', 'web']],
  ['release', ['releases', 'acme']],
  ['blob', ['backup', 'OUT']],
  ['delivery', ['fsck', '--repair']],
  ['blob', ['gc']],
  ['version', ['prune', '--keep-versions', '5']],
  ['page_text', ['erase', 'nobody@acme.example']],
  ['version', ['rebuild']],
]

describe('damage of the index that shows only in use', () => {
  let room: Awaited<ReturnType<typeof aKilledLibrary>>
  const ends: (() => Promise<void>)[] = []
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-damage-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    room = await aKilledLibrary(folder, (end) => void ends.push(end))
  })
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  /** A copy of the library, and commands on it. */
  async function aCopy() {
    const folder = await temporaryFolder()
    const library = join(folder, 'library')
    await cp(room.library, library, { recursive: true })
    const run = (...args: string[]) => galley([...args, '--json', '--library', library], room.environment)
    return { folder, library, run }
  }

  /** Every save is there, byte for byte, and nothing is wrong any more. */
  async function expectWhole({ library, run }: Awaited<ReturnType<typeof aCopy>>): Promise<void> {
    const listener = await startListen(library, room.environment)
    await expect.poll(async () => (await run('fsck')).json(), patience).toMatchObject({ ok: true, findings: [] })
    // It may have met the damage itself, and listen again in a moment.
    for (const save of room.saves)
      await expect.poll(() => servedProblem(listener.url, save).catch(String), patience).toBeNull()
  }

  it.each(kinds)('in the table %s is mended by the command %j that meets it', async (table, command) => {
    const copy = await aCopy()
    await damageIndex(copy.library, table)
    const values = { OUT: join(copy.folder, 'out'), VERSION: room.saves[0]?.versionId ?? '' }
    const args = command.map((arg) => arg.replace(/OUT|VERSION/, (name) => values[name as keyof typeof values]))
    await rm(room.web, { recursive: true, force: true })
    const ran = await copy.run(...args)
    expect(ran.code, ran.stdout + ran.stderr).toBe(0)
    const checked = await copy.run('fsck')
    expect([checked.code, checked.json()], checked.stdout).toMatchObject([0, { ok: true, findings: [] }])
  })

  it.each<readonly [string, (library: string) => Promise<void>]>([
    ['the first page', (library) => overwrite(library, [1])],
    ['the second page', (library) => overwrite(library, [2])],
    ['pages 3 to 9', (library) => overwrite(library, range(3, 9))],
    ['the last pages', (library) => overwrite(library, range(room.pages - 5, room.pages))],
    ['every page but the first', (library) => overwrite(library, range(2, room.pages))],
    ['half of the WAL', (library) => overwriteHalf(join(library, 'index.db-wal'))],
    ['a WAL of noise', (library) => writeFile(join(library, 'index.db-wal'), Buffer.alloc(100_000, 0xaa))],
    ['half of the shared memory', (library) => overwriteHalf(join(library, 'index.db-shm'))],
    ['a shared memory of noise', (library) => writeFile(join(library, 'index.db-shm'), Buffer.alloc(32_768, 0xaa))],
    [
      'pages, WAL and shared memory',
      async (library) => {
        await overwrite(library, range(3, 9))
        for (const end of ['wal', 'shm']) await overwriteHalf(join(library, `index.db-${end}`))
      },
    ],
  ])('in %s loses nothing, whether a command or a listener meets it', async (_place, damage) => {
    const read = await aCopy()
    await damage(read.library)
    const listed = await read.run('versions', 'acme', 'post/0')
    expect([listed.code, (listed.json() as unknown[]).length], listed.stderr).toEqual([0, 3])
    const served = await aCopy()
    await damage(served.library)
    await expectWhole(served)
  })
})

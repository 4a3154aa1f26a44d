import { randomBytes } from 'node:crypto'
import { cp, mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'

import { galley, startListen } from './support/cli.ts'
import { canMount, mountSmallDisk } from '../main/library/log/small-disk.ts'
import { traces } from '../support/traces.ts'
import { aLibrary, aNewsroom, aPage } from './support/library.ts'

/** The newsroom with one saved material and a running `listen`. */
async function withASave(disk?: string) {
  const room = await aNewsroom(disk === undefined ? {} : { disk })
  const opened = await room.run('open', 'acme', 'post-1')
  const { fingerprint } = opened.json() as { fingerprint: string }
  expect((await room.save(fingerprint, aPage('First'))).result).toBe('merged')
  return { ...room, fingerprint }
}

const none = { files: 0, bytes: 0 }

async function filesOf(library: string): Promise<readonly string[]> {
  const entries = await readdir(join(library, 'files'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

describe('fsck', () => {
  it('finds nothing in an intact library, reports the problems of a damaged one, and repairs it while a listener runs', async () => {
    const { library, run } = await withASave()
    const whole = await run('fsck')
    expect(whole.code, whole.stderr).toBe(0)
    expect(whole.json()).toMatchObject({ ok: true, repair: false, files: 2, findings: [] })

    const [version] = (await run('versions', 'acme', 'post-1')).json() as { kept_sha256: string }[]
    const kept = version?.kept_sha256 ?? ''
    const pack = (await filesOf(library)).find((path) => !path.endsWith(kept)) ?? ''
    await rm(pack)
    await writeFile(join(library, 'files', '0', '0'.repeat(64)), 'nobody knows me')
    const found = await run('fsck')
    expect(found.code).toBe(1)
    expect(found.json()).toMatchObject({
      ok: false,
      findings: [
        { kind: 'file_missing', fixable: true, fixed: false },
        { kind: 'orphan_file', file: '0'.repeat(64), used_by: [], fixable: true, fixed: false },
      ],
    })
    expect((found.json() as { findings: { used_by: unknown[] }[] }).findings[0]?.used_by).toContainEqual({
      site: 'acme',
      material_id: 'post-1',
      version_id: expect.any(String) as string,
      part: 'hero.png',
    })
    expect(found.stdout).not.toContain(library)

    const repaired = await run('fsck', '--repair')
    expect(repaired.code, repaired.stdout).toBe(0)
    expect(repaired.json()).toMatchObject({ ok: true, repair: true })
    expect((await run('fsck')).json()).toMatchObject({ ok: true, findings: [] })
    expect(await filesOf(library)).toContain(pack)
  })
})

describe('material', () => {
  it('archives, brings back and deletes a material, beside the listener; a later save of it counts as unknown', async () => {
    const { run, save, fingerprint } = await withASave()
    const named = { site: 'acme', material_id: 'post-1' }
    const listed = async (...args: string[]) =>
      ((await run('materials', 'acme', ...args)).json() as { material_id: string }[]).map((each) => each.material_id)
    expect((await run('material', 'archive', 'acme', 'post-1')).json()).toEqual({ ...named, archived: true })
    expect([await listed(), await listed('--archived')]).toEqual([[], ['post-1']])
    expect((await save(fingerprint, aPage('Second'))).result).toBe('merged')
    expect((await run('material', 'unarchive', 'acme', 'post-1')).json()).toEqual({ ...named, archived: false })
    expect([await listed(), await listed('--archived')]).toEqual([['post-1'], []])

    const foretold = await run('material', 'delete', 'acme', 'post-1', '--dry-run')
    expect(foretold.json()).toMatchObject({ dry_run: true, versions: 2, files: 4, protected: { current: 0 } })
    expect(await listed()).toEqual(['post-1'])
    const deleted = await run('material', 'delete', 'acme', 'post-1')
    expect(deleted.json()).toEqual({ ...(foretold.json() as object), dry_run: false })
    expect(await listed()).toEqual([])
    expect((await run('fsck')).json()).toMatchObject({ ok: true, files: 0 })
    expect((await save(fingerprint, aPage('Third'))).result).toBe('rejected')
    const gone = await run('material', 'delete', 'acme', 'post-1')
    expect([gone.code, gone.json()]).toMatchObject([1, { error: { code: 'unknown_material' } }])
    expect((await run('material', 'archive', 'acme')).code).toBe(2)
  })
})

describe('gc and prune', () => {
  it('delete old versions and unused files, and list them before', async () => {
    const { library, run, save, fingerprint } = await withASave()
    expect((await save(fingerprint, aPage('Second'))).result).toBe('merged')
    const before = await filesOf(library)
    expect((await run('gc')).json()).toEqual({ dry_run: false, blobs: 0, files: 0, bytes: 0, set_aside: none })

    const foretold = await run('prune', '--keep-versions', '1', '--dry-run')
    expect(foretold.code, foretold.stderr).toBe(0)
    expect(foretold.json()).toEqual({
      dry_run: true,
      versions: 1,
      files: 2,
      bytes: expect.any(Number) as number,
      list: [
        {
          site: 'acme',
          material_id: 'post-1',
          title: 'First',
          version_id: expect.any(String) as string,
          received_at: expect.any(String) as string,
          bytes: expect.any(Number) as number,
        },
      ],
      protected: { current: 0, outgoing: 0, pinned: 0, approved: 0, tagged: 0, noted: 0, exported: 0 },
    })
    expect(await filesOf(library)).toEqual(before)
    expect((await run('prune', '--keep-versions', '1')).json()).toEqual({
      ...(foretold.json() as object),
      dry_run: false,
    })
    expect(await filesOf(library)).toHaveLength(before.length - 2)
    expect((await run('versions', 'acme', 'post-1')).json()).toHaveLength(1)

    const stranger = join(library, 'files', '0', '0'.repeat(64))
    await writeFile(stranger, 'nobody')
    const longAgo = new Date(Date.now() - 2 * 86_400_000)
    await utimes(stranger, longAgo, longAgo)
    const found = { blobs: 0, files: 0, bytes: 0, set_aside: { files: 1, bytes: 6 } }
    expect((await run('gc', '--dry-run')).json()).toEqual({ dry_run: true, ...found })
    expect((await run('gc')).json()).toEqual({ dry_run: false, ...found })
    const emptied = { blobs: 0, files: 1, bytes: 6, set_aside: none }
    expect((await run('gc', '--empty-lost-and-found')).json()).toEqual({ dry_run: false, ...emptied })
    expect((await run('fsck')).code).toBe(0)
  })

  it('prune requires a rule and an existing site', async () => {
    const { run } = await aLibrary()
    expect((await run('prune')).code).toBe(2)
    const unknown = await run('prune', '--keep-days', '3', '--site', 'nobody')
    expect([unknown.code, unknown.failure().code]).toEqual([1, 'unknown_site'])
  })
})

describe('backup and restore', () => {
  it('carry a library over beside its listener, and list whose secret has to be entered again', async () => {
    const { folder, environment, run } = await withASave()
    const file = join(folder, 'library.zip')
    const written = await run('backup', file)
    expect(written.code, written.stderr).toBe(0)
    expect(written.json()).toEqual({
      ok: true,
      file,
      created_at: expect.any(String) as string,
      files: 2,
      bytes: expect.any(Number) as number,
      materials: 1,
      versions: 1,
      missing: [],
      damaged: [],
      verified: true,
    })
    const library = join(folder, 'restored')
    const restored = await galley(['restore', file, '--json', '--library', library], environment)
    expect(restored.code, restored.stderr).toBe(0)
    expect(restored.json()).toEqual({
      ok: true,
      library,
      created_at: (written.json() as { created_at: string }).created_at,
      files: 2,
      bytes: expect.any(Number) as number,
      materials: 1,
      versions: 1,
      sites_without_secret: ['acme'],
      themes_reset: [],
      missing: [],
      damaged: [],
      with_files: true,
    })
    const versions = async (place: string) =>
      (await galley(['versions', 'acme', 'post-1', '--json', '--library', place], environment)).json()
    expect(await versions(library)).toEqual(await versions(join(folder, 'library')))
    expect((await galley(['fsck', '--json', '--library', library], environment)).json()).toMatchObject({
      ok: true,
      findings: [],
    })

    // The message names the new library rather than the default one.
    const inWords = await galley(['restore', file, '--library', join(folder, 'again')], environment)
    expect(inWords.stdout).toContain('confirm it and enter its secret, with the same --library: galley site add acme')

    const taken = await galley(['restore', file, '--json', '--library', library], environment)
    expect([taken.code, taken.failure().code]).toEqual([2, 'usage'])
    await writeFile(file, 'a diary')
    expect((await run('backup', file)).code).toBe(2)
    const none = await galley(['restore', file, '--json', '--library', join(folder, 'other')], environment)
    expect([none.code, none.failure().code]).toEqual([1, 'not_a_backup'])
  })

  it('report what the library has lost, and back up the rest', async () => {
    const { library, folder, run } = await withASave()
    const [lost = ''] = await filesOf(library)
    await rm(lost)
    const written = await run('backup', join(folder, 'library.zip'))
    expect(written.code).toBe(1)
    expect(written.json()).toMatchObject({ ok: false, files: 1, missing: [basename(lost)], damaged: [] })
  })
})

describe('erase', () => {
  it('lists what it will erase, refuses while another process receives saves, and leaves no trace of the person', async () => {
    const { library, run, listener } = await withASave()
    const email = aPage('').user_email
    expect((await run('erase', 'nobody')).code).toBe(2)
    const foretold = await run('erase', email, '--dry-run')
    expect(foretold.code, foretold.stderr).toBe(0)
    expect(foretold.json()).toMatchObject({ archives: 1, backups: [] })
    expect((foretold.json() as { rows: number }).rows).toBeGreaterThan(1)
    expect(await traces(library, email)).not.toEqual([])

    const refused = await run('erase', email)
    expect(refused.code).toBe(1)
    expect(refused.json()).toMatchObject({ error: { code: 'served_elsewhere' } })
    expect((await run('erase', email, '--dry-run')).json()).toEqual(foretold.json())

    listener.child.kill('SIGINT')
    await listener.ended
    expect((await run('erase', 'someone@else.example')).json()).toEqual({
      rows: 0,
      archives: 0,
      release_texts: 0,
      backups: [],
    })
    const done = await run('erase', email.toUpperCase())
    expect(done.code, done.stderr).toBe(0)
    expect(done.json()).toEqual(foretold.json())
    expect(await traces(library, email)).toEqual([])
    expect((await run('versions', 'acme', 'post-1')).json()).toMatchObject([{ user_email: null }])
    expect((await run('fsck')).json()).toMatchObject({ ok: true, findings: [] })
    expect((await run('gc')).json()).toMatchObject({ files: 0 })
  })
})

function aDisk(megabytes: number) {
  const disk = mountSmallDisk(megabytes)
  if (!disk) throw new Error('The disk could not be mounted')
  onTestFinished(() => disk.unmount())
  return disk
}

describe.skipIf(!canMount())('a library on a full disk', () => {
  it('is read, checked, exported and backed up elsewhere; without a reserve, commands that change it report why they cannot', async () => {
    const { library, folder, environment, listener } = await withASave()
    listener.child.kill('SIGINT')
    await listener.ended
    const disk = aDisk(8)
    const place = join(disk.folder, 'library')
    await cp(library, place, { recursive: true })
    await rm(join(place, 'reserve'))
    disk.fill(0)
    const run = (...args: string[]) => galley([...args, '--json', '--library', place], environment)

    expect((await run('versions', 'acme', 'post-1')).json()).toMatchObject([{ user_email: aPage('').user_email }])
    expect((await run('fsck')).json()).toMatchObject({ ok: true, findings: [] })
    expect((await run('export', 'acme', '--out', join(folder, 'out'))).code).toBe(0)
    expect((await run('prune', '--keep-versions', '1', '--dry-run')).json()).toMatchObject({ versions: 0 })
    const backup = join(folder, 'library.zip')
    expect((await run('backup', backup)).json()).toMatchObject({ ok: true, materials: 1, versions: 1 })
    const restored = await galley(['restore', backup, '--json', '--library', join(folder, 'again')], environment)
    expect(restored.code, restored.stdout).toBe(0)

    const writing = [
      ['gc'],
      ['prune', '--keep-versions', '1'],
      ['erase', 'a@b.example'],
      ['fsck', '--repair'],
      ['listen'],
    ]
    for (const args of writing) {
      const refused = await run(...args)
      expect([args, refused.code, refused.json()]).toMatchObject([args, 1, { error: { code: 'library_read_only' } }])
    }
  })

  it.each(['of an earlier version', 'damaged', 'missing'])(
    'is read, exported and backed up with an index that is %s, as on a read-only disk',
    async (state) => {
      const { library, folder, environment, listener } = await withASave()
      listener.child.kill('SIGINT')
      await listener.ended
      const disk = aDisk(8)
      const place = join(disk.folder, 'library')
      await cp(library, place, { recursive: true })
      const index = join(place, 'index.db')
      if (state === 'of an earlier version') {
        const db = new BetterSqlite3(index)
        db.pragma('journal_mode = DELETE')
        db.pragma('user_version = 1')
        db.close()
      } else if (state === 'damaged') await writeFile(index, randomBytes(4096))
      else await rm(index)
      await rm(join(place, 'reserve'))
      disk.fill(0)
      const run = (...args: string[]) => galley([...args, '--json', '--library', place], environment)
      const isRead = async () =>
        expect((await run('versions', 'acme', 'post-1')).json()).toMatchObject([{ user_email: aPage('').user_email }])
      await isRead()
      expect((await run('export', 'acme', '--out', join(folder, 'out'))).code).toBe(0)
      expect((await run('backup', join(folder, 'library.zip'))).json()).toMatchObject({ ok: true, versions: 1 })
      disk.makeReadOnly()
      await isRead()
    },
  )

  const megabyte = 1024 ** 2
  /** A save of more than two megabytes, which uses twice as much: as a file and as the kept archive. */
  const aLargePage = (heading: string) => aPage(heading, randomBytes(megabyte).toString('hex'))

  /** A listener that has stored a large version and a small one, and refuses further ones since its disk is full. */
  async function aFullNewsroom() {
    const disk = aDisk(24)
    const room = await aNewsroom({ disk: disk.folder })
    const { fingerprint } = (await room.run('open', 'acme', 'post-1')).json() as { fingerprint: string }
    const reserve = () => stat(join(room.library, 'reserve'))
    for (const page of [aLargePage('First'), aPage('Second')])
      expect((await room.save(fingerprint, page)).result).toBe('merged')
    const { size, blocks, mode } = await reserve()
    expect([size, blocks * 512, mode & 0o777]).toEqual([4 * megabyte, 4 * megabyte, 0o600])
    disk.fill(0)
    expect((await room.save(fingerprint, aPage('Refused'))).answer?.code).toBe('storage_failed')
    return { ...room, disk, fingerprint, reserve }
  }

  it('is pruned by its reserve beside the listener, which then stores saves again', async () => {
    const { run, save, fingerprint, reserve, disk, listener } = await aFullNewsroom()
    const pruned = await run('prune', '--keep-versions', '1')
    expect(pruned.code, pruned.stderr).toBe(0)
    expect(pruned.json()).toMatchObject({ dry_run: false, versions: 1, list: [{ title: 'First' }] })
    expect(pruned.stderr).toContain('deleted the disk reserve')
    expect(disk.freeBytes()).toBeGreaterThan(3 * megabyte)
    expect((await reserve()).size).toBe(4 * megabyte)
    expect((await save(fingerprint, aPage('Third'))).result).toBe('merged')
    expect(listener.stderr()).not.toContain('restart Galley')
    expect((await run('fsck')).json()).toMatchObject({ ok: true, findings: [] })
  })

  it.each(['prune', 'gc'])(
    'is cleaned up by %s when nobody has it open, and is listened for again',
    async (command) => {
      const { library, environment, run, save, fingerprint, reserve, listener, disk } = await aFullNewsroom()
      listener.child.kill('SIGINT')
      await listener.ended
      // So that both have the same amount to delete.
      const left = join(library, 'staging', 'left-behind')
      if (command === 'gc') {
        await rm(join(disk.folder, 'ballast'))
        await mkdir(left)
        await writeFile(join(left, 'download'), randomBytes(4 * megabyte))
        disk.fill(0)
      }
      const refused = await run('listen')
      expect([refused.code, refused.failure().code]).toEqual([1, 'library_read_only'])
      const done = await run(command, ...(command === 'prune' ? ['--keep-versions', '1'] : []))
      expect(done.code, done.stderr).toBe(0)
      expect(done.json()).toMatchObject(command === 'prune' ? { versions: 1 } : { files: 1, bytes: 4 * megabyte })
      expect((await reserve()).size).toBe(4 * megabyte)
      await startListen(library, environment, { args: ['--port', new URL(listener.url).port] })
      expect((await save(fingerprint, aPage('Third'))).result).toBe('merged')
      expect((await run('fsck')).json()).toMatchObject({ ok: true, findings: [] })
    },
  )

  it('keeps as much of its reserve as fits when there is nothing to delete', async () => {
    const { run, reserve } = await aFullNewsroom()
    const nothing = await run('gc')
    expect(nothing.code, nothing.stderr).toBe(0)
    expect(nothing.json()).toMatchObject({ files: 0 })
    expect(nothing.stderr).toContain('still full')
    expect((await reserve()).size).toBeGreaterThan(3 * megabyte)
    expect((await run('prune', '--keep-versions', '1')).json()).toMatchObject({ versions: 1 })
    expect((await reserve()).size).toBe(4 * megabyte)
  })

  it('is not changed on a read-only disk, including its reserve', async () => {
    const { run, reserve, listener, disk } = await aFullNewsroom()
    // With the leftovers of a killed listener, SQLite can open the index although it is not writable.
    listener.child.kill('SIGKILL')
    await listener.ended
    disk.makeReadOnly()
    for (const args of [['gc'], ['prune', '--keep-versions', '1']]) {
      const refused = await run(...args)
      expect([refused.code, refused.json()]).toMatchObject([1, { error: { code: 'library_read_only' } }])
    }
    expect((await reserve()).size).toBe(4 * megabyte)
  })
})

import { randomBytes } from 'node:crypto'
import { cp, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { setVersion, today } from '../library/db/other-schema.ts'
import { canMount, mountSmallDisk } from '../library/log/small-disk.ts'
import { galley, startListen } from './support/cli.ts'
import { aNewsroom, aPage, withASave } from './support/library.ts'

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
    const web = `folder:${join(folder, 'web')}`
    await galley(['target', 'add', 'acme', 'live', web, '--library', library], environment)
    const disk = aDisk(8)
    const place = join(disk.folder, 'library')
    await cp(library, place, { recursive: true })
    await rm(join(place, 'reserve'))
    disk.fill(0)
    const run = (...args: string[]) => galley([...args, '--json', '--library', place], environment)

    expect((await run('versions', 'acme', 'post-1')).json()).toMatchObject([{ user_email: aPage('').user_email }])
    expect((await run('fsck')).json()).toMatchObject({ ok: true, findings: [] })
    const { checks } = (await run('site', 'check', 'acme')).json() as {
      checks: readonly { name: string; ok: boolean }[]
    }
    expect(checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['listener', 'callback_url', 'disk'])
    expect((await run('export', 'acme', '--out', join(folder, 'out'))).code).toBe(0)
    expect((await run('prune', '--keep-versions', '1', '--dry-run')).json()).toMatchObject({ versions: 0 })
    expect((await run('target', 'list', 'acme')).json()).toMatchObject([{ name: 'live' }])
    const planned = await run('publish', 'acme', '--dry-run')
    expect([planned.code, planned.json()], planned.stderr).toMatchObject([0, { release: null }])
    const [callback] = (await run('callbacks', '--outcome', 'stored')).json() as readonly { readonly id: string }[]
    const replay = ['callbacks', 'replay', callback?.id ?? ''] as const
    const looking = async () => {
      expect((await run(...replay, '--dry-run')).json()).toMatchObject({ after: { outcome: 'duplicate' } })
      expect((await run('erase', aPage('').user_email, '--dry-run')).json()).toMatchObject({ archives: 1 })
    }
    await looking()
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
      ['publish', 'acme'],
      ['site', 'remove', 'acme'],
      ['target', 'remove', 'acme', 'live'],
      replay,
    ] as const
    const areRefused = async (commands: readonly (readonly string[])[]) => {
      for (const args of commands) {
        const refused = await run(...args)
        expect([args, refused.code, refused.json()]).toMatchObject([args, 1, { error: { code: 'library_read_only' } }])
      }
    }
    await areRefused(writing)
    disk.makeReadOnly()
    await looking()
    await areRefused([...writing, ['rebuild'], ['rebuild', '--from', 'index']])
  })

  it.each(['of another schema', 'damaged', 'missing'])(
    'is read, exported and backed up with an index that is %s, as on a read-only disk',
    async (state) => {
      const { library, folder, environment, listener } = await withASave()
      listener.child.kill('SIGINT')
      await listener.ended
      const disk = aDisk(8)
      const place = join(disk.folder, 'library')
      await cp(library, place, { recursive: true })
      const index = join(place, 'index.db')
      if (state === 'of another schema') await setVersion(index, today + 1)
      else if (state === 'damaged') await writeFile(index, randomBytes(4096))
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
      disk.empty()
      // So that both have the same amount to delete.
      const left = join(library, 'staging', 'left-behind')
      if (command === 'gc') {
        await mkdir(left)
        await writeFile(join(left, 'download'), randomBytes(4 * megabyte))
      }
      // Again, because a library that closes gives back the room of its write-ahead logs.
      disk.fill(0)
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

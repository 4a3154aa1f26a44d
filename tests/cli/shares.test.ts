import { mkdir, mkdtemp, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { hasOddDisk, oddDisk } from '../support/odd-disk.ts'
import { galleyProcess, startListen } from './support/cli.ts'
import { aLibrary, aPage, withASave } from './support/library.ts'

describe.skipIf(!hasOddDisk)('on a share', () => {
  const ends: (() => Promise<void>)[] = []
  let room: Awaited<ReturnType<typeof withASave>>
  beforeAll(async () => void (room = await withASave({ atEnd: (end) => void ends.push(end) })))
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  /** An empty share for the library of all these tests. */
  async function aShare(calls: Parameters<typeof oddDisk>[1], error: Parameters<typeof oddDisk>[2]) {
    const share = await mkdtemp(join(room.folder, 'share-'))
    const odd = { ...room.environment, ...oddDisk(share, calls, error) }
    const run = (...args: string[]) => galleyProcess([...args, '--json', '--library', room.library], odd)
    return { share, run }
  }

  it.each([
    ['whose folders cannot be synced', ['sync folder'], 'EINVAL'],
    ['that has no sync of folders', ['sync folder'], 'EOPNOTSUPP'],
    ['that does not know either call', ['sync folder', 'change mode'], 'ENOSYS'],
    ['whose modes are fixed', ['change mode'], 'EPERM'],
    ['whose server refuses modes', ['change mode'], 'EACCES'],
  ] as const)('%s, a site is exported', async (_, calls, error) => {
    const { share, run } = await aShare(calls, error)
    expect(await run('export', 'acme', '--out', join(share, 'out'))).toMatchObject({ code: 0 })
    expect(await readFile(join(share, 'out/index.html'), 'utf8')).toContain('</html>')
  })

  it('that knows neither call, a site is exported as an archive and published, and the library backed up', async () => {
    const { share, run } = await aShare(['sync folder', 'change mode'], 'ENOSYS')
    for (const args of [
      ['export', 'acme', '--out', join(share, 'site.zip')],
      ['backup', join(share, 'library.galley-backup')],
      ['target', 'add', 'acme', 'share', `folder:${join(share, 'web')}`],
      ['publish', 'acme', '--target', 'share'],
    ])
      expect(await run(...args)).toMatchObject({ code: 0 })
    expect(await readdir(join(share, 'web'))).toContain('index.html')
  })

  it.each([
    ['sync folder', 'EINVAL'],
    ['change mode', 'EPERM'],
  ] as const)('a save is published to a folder there: %s, %s', async (call, error) => {
    const { library, folder, environment, listener, run, save, fingerprint } = await withASave()
    const share = join(folder, 'share')
    await mkdir(share)
    const publish = ['--publish', `folder:${share}`, '--public-url', 'https://media.example']
    expect((await run('site', 'add', 'acme', ...publish)).code).toBe(0)
    listener.child.kill('SIGINT')
    await listener.ended
    const odd = { ...environment, ...oddDisk(share, [call], error) }
    await startListen(library, odd, { args: ['--port', new URL(listener.url).port] })
    expect(await save(fingerprint, aPage('Second'))).toMatchObject({ result: 'merged', answer: { rc: 1 } })
    expect((await readdir(share)).toSorted()).toEqual(['galley-library.json', 'media'])
  })

  it.each([
    ['sync file', 'EIO'],
    ['sync folder', 'EIO'],
    ['sync folder', 'ENOSPC'],
    // Node has no name for these.
    ['sync file', 'EDQUOT'],
    ['sync folder', 'ESTALE'],
    ['change mode', 'EMULTIHOP'],
  ] as const)('a fault of the disk is still one: %s, %s', async (call, error) => {
    const { share, run } = await aShare([call], error)
    const ran = await run('export', 'acme', '--out', join(share, 'out'))
    expect([ran.code, ran.failure().code]).toEqual([1, 'io_failed'])
    expect(ran.failure().message).toContain(`The destination can’t be read or written (${error}`)
  })

  it.each([
    ['cannot lock files', 'lock', 'ENOLCK'],
    ['cannot lock files', 'lock', 'ENOSYS'],
    ['cannot lock files', 'lock', 'EOPNOTSUPP'],
    ['cannot share memory between programs', 'share memory', 'ENODEV'],
    ['cannot share memory between programs', 'share memory', 'EINVAL'],
  ] as const)('a library that %s is refused at once: %s, %s', async (why, call, error) => {
    const { library, environment } = room
    const odd = { ...environment, ...oddDisk(library, [call], error) }
    // Half of what it took to give up on the lock of another process.
    const ran = await galleyProcess(['materials', 'acme', '--json', '--library', library], odd)
    expect(ran.failure()).toMatchObject({ code: 'library_unusable', message: expect.stringContaining(why) as string })
    expect((await readdir(library)).filter((name) => name.includes('probe'))).toEqual([])
  })

  it('a library whose folders cannot be synced works', async () => {
    const { library, environment } = await aLibrary()
    const odd = { ...environment, ...oddDisk(library, ['sync folder', 'change mode'], 'EINVAL') }
    const ran = await galleyProcess(['site', 'list', '--json', '--library', library], odd)
    expect([ran.code, ran.json()]).toEqual([0, expect.anything()])
  })
})

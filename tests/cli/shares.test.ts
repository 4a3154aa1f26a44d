import { mkdir, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { hasOddDisk, oddDisk } from '../support/odd-disk.ts'
import { galleyProcess, startListen } from './support/cli.ts'
import { aLibrary, aPage, withASave } from './support/library.ts'

describe.skipIf(!hasOddDisk)('on a share', () => {
  it.each([
    ['whose folders cannot be synced', ['sync folder'], 'EINVAL'],
    ['that has no sync of folders', ['sync folder'], 'EOPNOTSUPP'],
    ['that does not know either call', ['sync folder', 'change mode'], 'ENOSYS'],
    ['whose modes are fixed', ['change mode'], 'EPERM'],
    ['whose server refuses modes', ['change mode'], 'EACCES'],
  ] as const)('%s, a site is exported, published and backed up', async (_, calls, error) => {
    const { library, folder, environment } = await withASave()
    const share = join(folder, 'share')
    await mkdir(share)
    const odd = { ...environment, ...(await oddDisk())(share, calls, error) }
    const run = (...args: string[]) => galleyProcess([...args, '--json', '--library', library], odd)
    const done = async (...args: string[]) => expect([(await run(...args)).stdout, 0]).toEqual([expect.any(String), 0])
    await done('export', 'acme', '--out', join(share, 'out'))
    expect(await readFile(join(share, 'out/index.html'), 'utf8')).toContain('</html>')
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
    const odd = { ...environment, ...(await oddDisk())(share, [call], error) }
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
    const { library, folder, environment } = await withASave()
    const share = join(folder, 'share')
    await mkdir(share)
    const odd = { ...environment, ...(await oddDisk())(share, [call], error) }
    const ran = await galleyProcess(
      ['export', 'acme', '--out', join(share, 'out'), '--json', '--library', library],
      odd,
    )
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
    const { library, environment } = await aLibrary()
    const odd = { ...environment, ...(await oddDisk())(library, [call], error) }
    // Half of what it took to give up on the lock of another process.
    const ran = await galleyProcess(['materials', 'acme', '--json', '--library', library], odd)
    expect(ran.failure()).toMatchObject({ code: 'library_unusable', message: expect.stringContaining(why) as string })
    expect((await readdir(library)).filter((name) => name.includes('probe'))).toEqual([])
  })

  it('a library whose folders cannot be synced works', async () => {
    const { library, environment } = await aLibrary()
    const odd = { ...environment, ...(await oddDisk())(library, ['sync folder', 'change mode'], 'EINVAL') }
    const ran = await galleyProcess(['site', 'list', '--json', '--library', library], odd)
    expect([ran.code, ran.json()]).toEqual([0, expect.anything()])
  })
})

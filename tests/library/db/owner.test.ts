import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { openLibrary } from '../../../packages/library/db/open/open-library.ts'
import { createOwnership, currentOwner, takeOwnership } from '../../../packages/library/db/owner.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { acme } from './sample.ts'

/** Another process that owns the library, or was refused. */
async function otherProcess(folder: string, url: string): Promise<{ child: ChildProcess; said: string }> {
  const script = join(import.meta.dirname, 'hold-ownership.ts')
  const child = spawn(process.execPath, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', script, folder, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, said: said.toString() }
}

describe('the ownership of a library', () => {
  it('has one holder, who is named meanwhile, and is free after its release', async () => {
    const folder = await temporaryFolder()
    expect(currentOwner(folder)).toBe(null)
    const mine = takeOwnership(folder, 4711)
    expect(currentOwner(folder)).toEqual({ processId: 4711, url: null })
    expect(takeOwnership(folder, 4712)).toBe(null)
    mine?.announce('http://127.0.0.1:1')
    expect(currentOwner(folder)).toEqual({ processId: 4711, url: 'http://127.0.0.1:1' })
    mine?.release()
    expect(currentOwner(folder)).toBe(null)
    const next = takeOwnership(folder, 4712)
    expect(currentOwner(folder)).toEqual({ processId: 4712, url: null })
    next?.release()
  })

  it('is shared by the parts of one process, and free after the last of them releases it', async () => {
    const folder = await temporaryFolder()
    const [own, other] = [createOwnership(folder), createOwnership(folder)]
    expect([own.owner(), own.isElsewhere()]).toEqual([null, false])
    const first = own.hold()
    first?.announce('http://127.0.0.1:1')
    const second = own.hold()
    expect([own.isElsewhere(), other.isElsewhere(), other.hold()]).toEqual([false, true, null])
    const named = { processId: process.pid, url: 'http://127.0.0.1:1' }
    expect([own.owner(), other.owner()]).toEqual([named, named])
    first?.release()
    first?.release()
    expect([own.isElsewhere(), other.isElsewhere()]).toEqual([false, true])
    second?.release()
    expect([own.owner(), other.isElsewhere()]).toEqual([null, false])
    other.hold()?.release()
  })

  it('of a killed process is free at once, and its name does not count as an owner', async () => {
    const folder = await temporaryFolder()
    const open = () =>
      openLibrary(
        folder,
        () => new Date(),
        () => undefined,
      )
    // Its files exist.
    ;(await open()).close()
    const { child, said } = await otherProcess(folder, 'http://127.0.0.1:8787')
    expect(said).toBe('mine\n')
    expect(currentOwner(folder)).toEqual({ processId: child.pid, url: 'http://127.0.0.1:8787' })
    expect(takeOwnership(folder, process.pid)).toBe(null)
    // The index can be read and written while there is an owner.
    const { index, close } = await open()
    index.sites.put(acme)
    expect(index.sites.list()).toEqual([acme])
    close()

    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(currentOwner(folder)).toBe(null)
    const mine = takeOwnership(folder, process.pid)
    expect(mine).not.toBe(null)
    const refused = await otherProcess(folder, '')
    expect(refused.said).toBe('not mine\n')
    mine?.release()
  })

  it('is known even if the name of the owner cannot be read', async () => {
    const folder = await temporaryFolder()
    const mine = takeOwnership(folder, 4711)
    await writeFile(join(folder, 'owner.json'), '{"processId":')
    expect(currentOwner(folder)).toEqual({ processId: 0, url: null })
    mine?.release()
  })

  it.skipIf(process.platform === 'win32')('is named in a file that only the user can read', async () => {
    const folder = await temporaryFolder()
    const mine = takeOwnership(folder, 4711)
    mine?.announce('http://127.0.0.1:1')
    expect((await stat(join(folder, 'owner.json'))).mode & 0o777).toBe(0o600)
    mine?.release()
  })
})

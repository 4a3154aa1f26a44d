import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { tryExistingExclusive } from '../../../packages/library/db/database/exclusive-file.ts'
import { makeLockFile } from '../../../packages/library/db/database/private-file.ts'
import type { FileLock } from '../../../packages/library/db/file-lock.ts'
import { openFileLock } from '../../../packages/library/db/file-lock.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { canMount, mountSmallDisk } from '../log/small-disk.ts'

function opened(folder: string) {
  const lock = openFileLock(folder)
  onTestFinished(lock.close)
  return lock
}

describe.skipIf(!canMount())('locks on a full disk', () => {
  it('are taken, because their files stay empty', async () => {
    const { folder, fill, unmount } = mountSmallDisk(1) ?? expect.fail('The disk could not be mounted')
    onTestFinished(unmount)
    const lock = openFileLock(folder)
    const other = join(folder, 'other.db')
    makeLockFile(other)
    fill(0)
    expect(lock.alone(() => undefined)).toBe(true)
    const release = await lock.share()
    expect(lock.alone(() => undefined)).toBe(false)
    release()
    lock.close()
    const held = tryExistingExclusive(other, 0)
    expect(held).not.toBeNull()
    expect(tryExistingExclusive(other, 0)).toBeNull()
    held?.close()
  })
})

describe('the lock on the files of a library', () => {
  it('can be shared, and is exclusive only after the last of them has released it', async () => {
    const folder = await temporaryFolder()
    const mine = opened(folder)
    const theirs = opened(folder)
    const done = [await mine.share(), await mine.share(), await theirs.share()]
    for (const release of done) {
      expect(mine.alone(() => expect.unreachable())).toBe(false)
      release()
      release()
    }
    let ran = 0
    expect(mine.alone(() => (ran += 1))).toBe(true)
    expect(theirs.alone(() => (ran += 1))).toBe(true)
    expect(ran).toBe(2)
  })

  it('can be opened while another process holds it exclusively, and only sharing waits', async () => {
    const folder = await temporaryFolder()
    const theirs = opened(folder)
    const openedMeanwhile: FileLock[] = []
    theirs.alone(() => void openedMeanwhile.push(opened(folder)))
    expect(openedMeanwhile).toHaveLength(1)
    for (const lock of openedMeanwhile) (await lock.share())()
  })

  it('cannot be shared while it is held exclusively; waiting processes share it afterwards', async () => {
    const folder = await temporaryFolder()
    const mine = opened(folder)
    const theirs = opened(folder)
    let shared: Promise<() => void> = Promise.resolve(() => undefined)
    expect(
      mine.alone(() => {
        shared = theirs.share()
        expect(theirs.alone(() => expect.unreachable())).toBe(false)
      }),
    ).toBe(true)
    expect(
      mine.alone(() => undefined),
      'nobody shares yet',
    ).toBe(true)
    const release = await shared
    expect(mine.alone(() => expect.unreachable())).toBe(false)
    release()
  })

  it('is free again after exclusive work fails', async () => {
    const lock = opened(await temporaryFolder())
    expect(() => lock.alone(() => expect.fail('as expected'))).toThrow('as expected')
    const release = await lock.share()
    release()
  })

  it('is released with its process, and is a file that only the user can read', async () => {
    const folder = await temporaryFolder()
    const lock = opened(folder)
    const script = join(import.meta.dirname, 'hold-files.ts')
    const child = spawn(process.execPath, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', script, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    expect(lock.alone(() => expect.unreachable())).toBe(false)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(lock.alone(() => undefined)).toBe(true)
    if (process.platform !== 'win32') expect((await stat(join(folder, 'files.db'))).mode & 0o777).toBe(0o600)
  })
})

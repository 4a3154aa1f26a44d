import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { hasRoom } from '../../../packages/platform/disk/room.ts'
import { temporaryFolder } from '../../../packages/platform/disk/temporary-folder.ts'
import { canMount, mountSmallDisk } from '../../library/log/small-disk.ts'

const megabyte = 1024 ** 2

function aDisk(files?: number) {
  const disk = mountSmallDisk(4, files) ?? expect.fail('The disk could not be mounted')
  onTestFinished(() => disk.unmount())
  return disk
}

describe.skipIf(!canMount())('room for files', () => {
  it('is what can be written, not what the disk reports as free', async () => {
    const { folder, freeBytes } = aDisk(3)
    expect(await hasRoom(folder, megabyte)).toBe(true)
    expect(readdirSync(folder)).toEqual([])
    for (const name of ['one', 'two']) writeFileSync(join(folder, name), '')
    expect(freeBytes()).toBeGreaterThan(megabyte)
    expect(await hasRoom(folder, megabyte)).toBe(false)
    expect(await hasRoom(join(folder, 'none'), 0)).toBe(false)
  })

  it('is found outside the temporary folder if that is full', async () => {
    const [full, beside] = [aDisk(), aDisk()]
    vi.stubEnv('TMPDIR', full.folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await temporaryFolder('a-', megabyte)).toContain(full.folder)
    full.fill(0)
    const made = temporaryFolder('a-', megabyte, [beside.folder])
    expect(await made).not.toContain(full.folder)
    const huge = 1024 ** 5
    await expect(temporaryFolder('a-', huge, [beside.folder])).rejects.toMatchObject({ code: 'ENOSPC' })
  })
})

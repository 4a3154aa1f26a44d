import { expect, onTestFinished, test, vi } from 'vitest'

import { createStorageWatch } from '../../../packages/library/care/storage-watch.ts'
import { cause } from '../../../packages/wire/cause.ts'
import { createTestGalley } from '../../support/test-galley.ts'

/** The watch of a real library, by a clock of the test, in which no file can be staged while `disk.fault` is set. */
async function aWatch() {
  const { galley, folder } = await createTestGalley({ listen: false })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { vault, library } = galley
  const disk = { fault: null as string | null, probes: 0, onProbe: (): void => undefined }
  const said: string[] = []
  const stageFiles = () => {
    disk.probes += 1
    disk.onProbe()
    const { fault } = disk
    if (fault !== null) throw Object.assign(new Error(fault), { code: fault, syscall: 'open' })
    return vault.stageFiles()
  }
  const watch = createStorageWatch({
    folder,
    library,
    vault: { stageFiles, discardFiles: (staging) => vault.discardFiles(staging) },
    log: (line) => void said.push(line),
    onChange: () => undefined,
  })
  watch.start()
  onTestFinished(watch.stop)
  return { watch, disk, said }
}

test('after a failed write a probe is tried every five seconds, whatever asks, until one goes well', async () => {
  const { watch, disk, said } = await aWatch()
  disk.fault = 'ENOSPC'
  watch.note(cause('disk_full'))
  for (let probes = 1; probes <= 3; probes += 1) {
    vi.advanceTimersByTime(probes === 1 ? 0 : 1)
    expect(await watch.check()).toMatchObject({ cause: { code: 'disk_full' }, until: 'mended' })
    vi.advanceTimersByTime(4_999)
    for (let time = 0; time < 5; time += 1) {
      watch.note(cause('disk_full'))
      expect(await watch.check()).toMatchObject({ until: 'mended' })
    }
    expect(disk.probes).toBe(probes)
  }
  disk.fault = null
  vi.advanceTimersByTime(1)
  expect(await watch.check()).toBeNull()
  expect(disk.probes).toBe(4)
  expect(said).toEqual([
    'saves cannot be stored: the disk is full; Galley tries again by itself',
    'saves can be stored again',
  ])
  vi.advanceTimersByTime(60_000)
  expect(disk.probes).toBe(4)
})

test('a write that fails during a probe that goes well is followed by another probe', async () => {
  const { watch, disk } = await aWatch()
  watch.note(cause('disk_full'))
  disk.onProbe = () => watch.note(cause('quota_used'))
  vi.advanceTimersByTime(0)
  expect(await watch.check()).toMatchObject({ cause: { code: 'quota_used' } })
  disk.onProbe = () => undefined
  vi.advanceTimersByTime(5_000)
  expect(await watch.check()).toBeNull()
  expect(disk.probes).toBe(2)
})

test('a question after five seconds without a write is answered by a probe, and none follows one that went well', async () => {
  const { watch, disk } = await aWatch()
  watch.wentWell()
  vi.advanceTimersByTime(4_999)
  disk.fault = 'EDQUOT'
  expect(await watch.check()).toBeNull()
  expect(disk.probes).toBe(0)
  vi.advanceTimersByTime(1)
  expect(await watch.check()).toMatchObject({ cause: { code: 'quota_used' }, until: 'mended' })
  disk.fault = null
  vi.advanceTimersByTime(5_000)
  expect(await watch.check()).toBeNull()
  watch.stop()
  disk.fault = 'EDQUOT'
  vi.advanceTimersByTime(60_000)
  expect(await watch.check()).toBeNull()
  expect(disk.probes).toBe(2)
})

test('faults that are of no disk leave the state, and no probe follows', async () => {
  const { watch, disk } = await aWatch()
  for (const code of ['bucket_away', 'index_held', 'disk_name_too_long', 'unexpected'] as const) watch.note(cause(code))
  vi.advanceTimersByTime(60_000)
  expect(watch.fault()).toBeNull()
  expect(disk.probes).toBe(0)
})

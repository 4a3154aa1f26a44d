import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { LogSyncError } from '../../../packages/library/log/append.ts'
import { keepDamagedLine } from '../../../packages/library/log/fault-file.ts'
import { openLog } from '../../../packages/library/log/log.ts'
import type { LogMark } from '../../../packages/library/log/mark.ts'
import { logStart } from '../../../packages/library/log/mark.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { renamed } from './renamed.ts'
import { canMount, mountSmallDisk } from './small-disk.ts'

const positions = (log: ReturnType<typeof openLog>) =>
  [...log.read(logStart)].map((item) => (item.kind === 'entry' ? item.entry.position : item.fault.kind))

function logIn(folder: string, count: number, bytesEach = 10) {
  const log = openLog(folder)
  let mark: LogMark = logStart
  for (let at = 0; at < count; at += 1) mark = log.append(mark, [renamed('x'.repeat(bytesEach))])
  return { log, mark }
}

/** Replaces a segment by a device that accepts every byte but cannot sync, until the returned function is called. */
function withoutSync(file: string): () => void {
  const aside = `${file}.aside`
  if (existsSync(file)) renameSync(file, aside)
  symlinkSync('/dev/null', file)
  return () => {
    rmSync(file)
    if (existsSync(aside)) renameSync(aside, file)
  }
}

describe.skipIf(process.platform !== 'linux')('a failing sync', () => {
  it.each([
    ['of the segment that there is', 3, 10, 1],
    ['of a new segment', 9, 1024 ** 2, 10],
  ])('lets nothing more be appended until the log is opened again: %s', async (_name, count, bytesEach, segment) => {
    const folder = await temporaryFolder()
    const { log, mark } = logIn(folder, count, bytesEach)
    const file = log.fileOf(segment)
    const restore = withoutSync(file)
    const append = () => log.append(mark, [renamed('lost or not')])
    expect(append).toThrow(LogSyncError)
    // With the system's error code, by which callers recognize a fault of the disk.
    expect(append).toThrow(expect.objectContaining({ code: 'EINVAL' }))
    restore()
    const before = existsSync(file) && readFileSync(file)
    // A later successful sync would not prove that the bytes of the first one are on disk.
    for (let time = 0; time < 3; time += 1) expect(append).toThrow(LogSyncError)
    expect(existsSync(file) && readFileSync(file)).toEqual(before)
    const again = openLog(folder)
    expect(again.append(mark, [renamed('after the check')]).position).toBe(count + 1)
    expect(positions(again)).toEqual(Array.from({ length: count + 1 }, (_, at) => at + 1))
  })

  it('of the first entry leaves nothing that counts', async () => {
    const folder = await temporaryFolder()
    const log = openLog(folder)
    mkdirSync(log.folder)
    withoutSync(log.fileOf(1))
    expect(() => log.append(logStart, [renamed('a')])).toThrow(LogSyncError)
    expect(log.exists()).toBe(false)
  })
})

describe.skipIf(!canMount())('a full disk', () => {
  function onSmallDisk(count: number, bytesEach: number, megabytes: number) {
    const disk = mountSmallDisk(megabytes)
    if (!disk) throw new Error('The disk could not be mounted')
    onTestFinished(disk.unmount)
    return { disk, ...logIn(disk.folder, count, bytesEach) }
  }

  it('leaves the log at its length, and the next entry is written when there is space', () => {
    const { disk, log, mark } = onSmallDisk(3, 1_000, 2)
    const before = readFileSync(log.fileOf(1))
    disk.fill(8_192)
    for (let time = 0; time < 2; time += 1) {
      const append = () => log.append(mark, [renamed('x'.repeat(100_000))])
      expect(append).toThrow(expect.objectContaining({ code: 'ENOSPC' }))
      expect(readFileSync(log.fileOf(1))).toEqual(before)
    }
    // An entry that fits is stored: the fault was of that entry, not of the log.
    const small = log.append(mark, [renamed('small')])
    rmSync(join(disk.folder, 'ballast'))
    log.append(small, [renamed('x'.repeat(100_000))])
    expect(positions(log)).toEqual([1, 2, 3, 4, 5])
  })

  it('leaves a new segment empty, and the log continues there', () => {
    const { disk, log, mark } = onSmallDisk(8, 1024 ** 2, 12)
    disk.fill(8_192)
    expect(() => log.append(mark, [renamed('x'.repeat(100_000))])).toThrow(expect.objectContaining({ code: 'ENOSPC' }))
    expect(statSync(log.fileOf(9)).size).toBe(0)
    expect(positions(log)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(openLog(disk.folder).holds(mark)).toBe('holds')
    rmSync(join(disk.folder, 'ballast'))
    expect(log.append(mark, [renamed('x'.repeat(100_000))])).toMatchObject({ position: 9, segment: 9, start: 0 })
    expect(positions(log)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })
})

describe('a damaged line', () => {
  const kept = (folder: string): readonly string[] =>
    readdirSync(join(folder, 'lost-and-found'))
      .map((name) => readFileSync(join(folder, 'lost-and-found', name), 'utf8'))
      .toSorted()

  it('is set aside once, and so is another damaged line at its position', async () => {
    const folder = await temporaryFolder()
    for (const text of ['first', 'first', 'second'])
      keepDamagedLine(folder, { bytes: Buffer.from(text), segment: 1, offset: 7 })
    expect(kept(folder)).toEqual(['first', 'second'])
  })

  it('is set aside completely even if a process was killed while doing so', async () => {
    const folder = await temporaryFolder()
    const fault = { bytes: Buffer.from('the whole line'), segment: 1, offset: 7 }
    keepDamagedLine(folder, fault)
    const [name = ''] = readdirSync(join(folder, 'lost-and-found'))
    rmSync(join(folder, 'lost-and-found', name))
    // As far as it had been copied.
    writeFileSync(join(folder, 'lost-and-found', `${name}.new`), 'the wh')
    keepDamagedLine(folder, fault)
    expect(kept(folder)).toEqual(['the whole line'])
  })
})

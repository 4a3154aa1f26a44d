import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { headBytes, writeLine } from '../../../packages/library/log/line.ts'
import { openLog } from '../../../packages/library/log/log.ts'
import type { LogMark } from '../../../packages/library/log/mark.ts'
import { logStart } from '../../../packages/library/log/mark.ts'
import type { LogItem } from '../../../packages/library/log/read-log.ts'
import { logFormat, noHash } from '../../../packages/library/records/changes.ts'
import { randomFrom } from '../../support/random.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { renamed } from './renamed.ts'

/** A log with this many entries, and the mark of each, starting with the mark before the first. */
async function aLog(count: number, bytesEach = 10) {
  const folder = await temporaryFolder()
  const log = openLog(folder)
  const marks: LogMark[] = [logStart]
  const add = () => {
    const mark = log.append(marks.at(-1) ?? logStart, [renamed(`${marks.length} `.padEnd(bytesEach, 'x'))])
    marks.push(mark)
    return mark
  }
  for (let at = 0; at < count; at += 1) add()
  const items = (after = logStart) => [...log.read(after)]
  return { folder, log, marks, add, items, mark: (at: number) => marks.at(at) ?? logStart }
}

const positions = (items: readonly LogItem[]) =>
  items.map((item) => (item.kind === 'entry' ? item.entry.position : item.fault.kind))
const faultsOf = (items: readonly LogItem[]) => items.flatMap((item) => (item.kind === 'fault' ? [item.fault] : []))

/** Changes bytes of a file in place. */
function overwrite(file: string, at: number, change: (byte: number) => number): void {
  const bytes = readFileSync(file)
  bytes[at] = change(bytes[at] ?? 0)
  writeFileSync(file, bytes)
}

describe('a log', () => {
  it('returns what was appended, in order, from any position, to all readers', async () => {
    const { folder, log, marks, items, mark } = await aLog(5)
    expect(positions(items())).toEqual([1, 2, 3, 4, 5])
    expect(items().map((item) => item.kind === 'entry' && item.mark)).toEqual(marks.slice(1))
    for (const [at, after] of marks.entries())
      expect(positions([...openLog(folder).read(after)])).toEqual([1, 2, 3, 4, 5].slice(at))
    for (const each of marks) expect(log.holds(each)).toBe('holds')
    expect(mark(-1)).toMatchObject({ position: 5, segment: 1 })
    expect(readdirSync(log.folder)).toEqual(['00000000000000000001.jsonl'])
  })

  it('is empty and has no files before the first entry', async () => {
    const folder = await temporaryFolder()
    const log = openLog(folder)
    expect([log.exists(), log.segments(), [...log.read(logStart)], log.holds(logStart)]).toEqual([
      false,
      [],
      [],
      'holds',
    ])
    expect(readdirSync(folder)).toEqual([])
  })

  it('detects a mark of another log, of a longer one, and of an overwritten one', async () => {
    const { log, mark, folder } = await aLog(3)
    const { mark: later } = await aLog(6)
    expect(log.holds({ ...mark(3), hash: 'f'.repeat(64) })).toBe('differs')
    expect(log.holds({ ...mark(3), position: 4 })).toBe('differs')
    expect(log.holds({ ...mark(2), start: mark(2).start + 1, end: mark(2).end + 1 })).toBe('differs')
    expect(log.holds({ ...mark(3), start: mark(3).start + 1 })).toBe('differs')
    // Its line cannot be read there, but the entry after it names it.
    expect(log.holds({ ...mark(2), start: mark(2).start + 1 })).toBe('holds')
    expect(log.holds(later(6))).toBe('ahead')
    expect(log.holds({ position: 99, hash: noHash, segment: 90, start: 0, end: 400 })).toBe('ahead')
    truncateSync(log.fileOf(1), mark(3).end - 1)
    expect(log.holds(mark(3))).toBe('ahead')
    // The same position, but another entry.
    openLog(folder).append(mark(2), [renamed('in its place')])
    expect(log.holds(mark(3))).not.toBe('holds')
    expect(log.holds(mark(2))).toBe('holds')
  })

  it('starts a new segment at 8 MB, and reads across segments', async () => {
    const { log, marks, items, add } = await aLog(20, 1024 ** 2)
    expect(log.segments()).toEqual([1, 9, 17])
    for (const segment of log.segments().slice(0, -1)) {
      const { size } = statSync(log.fileOf(segment))
      expect(size).toBeGreaterThanOrEqual(8 * 1024 ** 2)
      // The last entry of a segment starts before the size limit.
      expect(size).toBeLessThan(10 * 1024 ** 2)
    }
    expect(positions(items())).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
    for (const each of marks) expect(log.holds(each)).toBe('holds')
    for (const at of [8, 9, 16, 17]) expect(positions(items(marks[at]))[0]).toBe(at + 1)
    expect(add()).toMatchObject({ position: 21, segment: 17 })
  })

  it('returns the entries after a position without a mark, and skips segments before it', async () => {
    const { log } = await aLog(20, 1024 ** 2)
    const behind = (position: number) => [...log.entriesAfter(position)].map((entry) => entry.position)
    expect([behind(0).length, behind(8), behind(19), behind(20)]).toEqual([
      20,
      [...Array(12)].map((_, at) => at + 9),
      [20],
      [],
    ])
    rmSync(log.fileOf(1))
    overwrite(log.fileOf(17), headBytes + 100, (byte) => byte ^ 1)
    expect([behind(0).length, behind(10)[0], behind(16)]).toEqual([11, 11, [18, 19, 20]])
  })

  it('can be read although earlier segments are gone', async () => {
    const { log, marks, items } = await aLog(18, 1024 ** 2)
    rmSync(log.fileOf(1))
    // The next segment names the entry before its first.
    expect([log.holds(marks[8] ?? logStart), log.holds(marks[9] ?? logStart)]).toEqual(['holds', 'holds'])
    expect(log.holds({ ...(marks[8] ?? logStart), hash: 'f'.repeat(64) })).toBe('differs')
    expect(positions(items(marks[8]))).toEqual(Array.from({ length: 10 }, (_, at) => at + 9))
    expect(positions(items(marks[9]))).toEqual(Array.from({ length: 9 }, (_, at) => at + 10))
  })
})

describe('the incomplete end of a log after a crash', () => {
  it('is skipped wherever its last line was cut, and removed by the next entry', async () => {
    const { log, items, mark, folder } = await aLog(3)
    const file = log.fileOf(1)
    const whole = readFileSync(file)
    for (let end = mark(2).end; end < whole.length; end += 1) {
      writeFileSync(file, whole.subarray(0, end))
      expect(positions(items()), `${end} bytes`).toEqual([1, 2])
    }
    const again = openLog(folder).append(mark(2), [renamed('after the crash')])
    expect(again).toMatchObject({ position: 3, start: mark(2).end })
    expect(positions(items())).toEqual([1, 2, 3])
    expect(statSync(file).size).toBe(again.end)
  })

  it('is also removed if it was longer than the entry that replaces it', async () => {
    const { log, items, mark } = await aLog(2)
    appendFileSync(log.fileOf(1), writeLine(3, mark(2).hash, [renamed('x'.repeat(10_000))]).bytes.subarray(0, 9_000))
    expect(positions(items())).toEqual([1, 2])
    log.append(mark(2), [renamed('short')])
    expect(positions(items())).toEqual([1, 2, 3])
    expect(faultsOf(items())).toEqual([])
  })

  it('is skipped in a new segment: empty, or truncated in its first line', async () => {
    const { log, items, mark } = await aLog(8, 1024 ** 2)
    const end = mark(8)
    for (const left of [Buffer.alloc(0), writeLine(9, end.hash, [renamed('torn')]).bytes.subarray(0, 100)]) {
      writeFileSync(log.fileOf(9), left)
      expect(positions(items())).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      expect(log.holds(end)).toBe('holds')
    }
    expect(log.append(end, [renamed('next')])).toMatchObject({ position: 9, segment: 9, start: 0 })
    expect(positions(items(end))).toEqual([9])
  })
})

describe('a damaged log', () => {
  it('reports a damaged line with its bytes and position, and continues after it', async () => {
    const { log, mark } = await aLog(5)
    const whole = readFileSync(log.fileOf(1))
    const random = randomFrom(7)
    const { start, end } = mark(3)
    const places = Array.from({ length: 200 }, () => start + Math.floor(random() * (end - start)))
    for (const at of new Set([...places, start, start + headBytes, end - 2, end - 1])) {
      writeFileSync(log.fileOf(1), whole)
      overwrite(log.fileOf(1), at, (byte) => byte ^ 1)
      const found = [...log.read(logStart)]
      expect(positions(found), `byte ${at - start} of ${end - start}`).toEqual([1, 2, 'damaged', 4, 5])
      const [fault] = faultsOf(found)
      expect(fault).toMatchObject({ position: 3, count: 1, segment: 1, offset: start })
      expect(fault?.bytes?.equals(readFileSync(log.fileOf(1)).subarray(start, end))).toBe(true)
    }
  })

  it('reports its last line if it is complete but damaged, since it may have been acknowledged', async () => {
    const { log, mark } = await aLog(3)
    const whole = readFileSync(log.fileOf(1))
    const { start, end } = mark(3)
    for (let at = start; at < end; at += 1) {
      writeFileSync(log.fileOf(1), whole)
      overwrite(log.fileOf(1), at, (byte) => byte ^ 4)
      expect(positions([...log.read(logStart)]), `byte ${at - start} of ${end - start}`).toEqual([1, 2, 'damaged'])
    }
  })

  it('continues after a line that was split, and counts nothing twice', async () => {
    const { log, mark } = await aLog(4)
    const file = log.fileOf(1)
    const { start, end } = mark(2)
    for (const at of [start + 5, start + headBytes + 3, end - 10]) overwrite(file, at, () => 0x0a)
    const found = [...log.read(logStart)]
    expect(found.flatMap((item) => (item.kind === 'entry' ? [item.entry.position] : []))).toEqual([1, 3, 4])
    const bytes = Buffer.concat(faultsOf(found).map((fault) => fault.bytes ?? Buffer.alloc(0)))
    expect(bytes.equals(readFileSync(file).subarray(start, end))).toBe(true)
    expect(new Set(faultsOf(found).map(({ kind }) => kind))).toEqual(new Set(['damaged']))
  })

  it('reports how many entries are missing with a segment, and continues after them', async () => {
    const { log, items } = await aLog(26, 1024 ** 2)
    expect(log.segments()).toEqual([1, 9, 17, 25])
    rmSync(log.fileOf(9))
    expect(positions(items())).toEqual([
      1,
      2,
      3,
      4,
      5,
      6,
      7,
      8,
      'missing',
      ...Array.from({ length: 10 }, (_, at) => at + 17),
    ])
    expect(faultsOf(items())).toEqual([{ kind: 'missing', position: 9, count: 8, segment: 17, offset: 0 }])
    rmSync(log.fileOf(17))
    expect(faultsOf(items())).toEqual([{ kind: 'missing', position: 9, count: 16, segment: 25, offset: 0 }])
  })

  it('reports missing lines in the middle of a segment', async () => {
    const { log, mark, items } = await aLog(5)
    const whole = readFileSync(log.fileOf(1))
    writeFileSync(log.fileOf(1), Buffer.concat([whole.subarray(0, mark(2).start), whole.subarray(mark(3).end)]))
    expect(positions(items())).toEqual([1, 'missing', 4, 5])
    expect(faultsOf(items())).toMatchObject([{ kind: 'missing', position: 2, count: 2 }])
  })

  it('reports an entry that does not name its predecessor, but returns it', async () => {
    const { log, mark, items } = await aLog(2)
    const foreign = writeLine(3, 'a'.repeat(64), [renamed('of another log')])
    appendFileSync(log.fileOf(1), foreign.bytes)
    appendFileSync(log.fileOf(1), writeLine(4, foreign.hash, [renamed('behind it')]).bytes)
    expect(positions(items())).toEqual([1, 2, 'unlinked', 3, 4])
    expect(faultsOf(items())).toEqual([{ kind: 'unlinked', position: 3, count: 1, segment: 1, offset: mark(2).end }])
  })

  it('returns a duplicate entry once', async () => {
    const { log, mark, items } = await aLog(3)
    const whole = readFileSync(log.fileOf(1))
    writeFileSync(log.fileOf(1), Buffer.concat([whole, whole.subarray(mark(2).start)]))
    expect(positions(items())).toEqual([1, 2, 3])
  })

  it('reports a line of a later version of Galley as such', async () => {
    const { log, mark, items } = await aLog(2)
    const line = writeLine(3, mark(2).hash, [renamed('a')]).bytes.toString('utf8')
    const entry = line.slice(headBytes, -2).replace(/"galley":\d+/, `"galley":${logFormat + 1}`)
    const { createHash } = await import('node:crypto')
    const hash = createHash('sha256').update(entry).digest('hex')
    appendFileSync(log.fileOf(1), `${line.slice(0, 11)}${line.slice(11, 21)}","sha256":"${hash}","entry":${entry}}\n`)
    expect(positions(items())).toEqual([1, 2, 'newer'])
  })

  it('reads only segment files', async () => {
    const { log, items } = await aLog(2)
    for (const name of ['00000000000000000002.jsonl.bak', '2.jsonl', 'notes.txt', '0000000000000000000a.jsonl'])
      writeFileSync(join(log.folder, name), 'anything\n')
    expect(positions(items())).toEqual([1, 2])
    expect(log.segments()).toEqual([1])
  })
})

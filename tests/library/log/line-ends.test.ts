import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

import { openLog } from '../../../packages/library/log/log.ts'
import type { LogMark } from '../../../packages/library/log/mark.ts'
import { logStart } from '../../../packages/library/log/mark.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { renamed } from './renamed.ts'

// Logs whose line ends another program has changed: an editor, a sync tool, Git.

const mark = '\uFEFF'
const crlf = (text: string): string => text.replaceAll('\n', '\r\n')

const changes: readonly (readonly [string, (text: string) => string])[] = [
  ['CRLF', crlf],
  ['a byte order mark', (text) => `${mark}${text}`],
  ['CRLF and a byte order mark', (text) => `${mark}${crlf(text)}`],
  ['CRLF in its first half', (text) => crlf(text.slice(0, text.length / 2)) + text.slice(text.length / 2)],
  ['CRLF in its second half', (text) => text.slice(0, text.length / 2) + crlf(text.slice(text.length / 2))],
]

const entries = 9
const positions = Array.from({ length: entries }, (_, at) => at + 1)

/** Two segments, each with several lines. */
async function aLog() {
  const log = openLog(await temporaryFolder())
  const marks: LogMark[] = []
  for (const position of positions) {
    const end = marks.at(-1) ?? logStart
    if (position === 6) log.beginSegment(end)
    marks.push(log.append(end, [renamed(`Überschrift ${position} `.padEnd(position * 40, 'x'))]))
  }
  const texts = new Map(log.segments().map((each) => [each, readFileSync(log.fileOf(each), 'utf8')]))
  const change = (how: (text: string) => string) => {
    for (const [each, text] of texts) writeFileSync(log.fileOf(each), how(text))
  }
  return { log, marks, texts, change, last: marks.at(-1) ?? logStart }
}

const read = (log: ReturnType<typeof openLog>, after = logStart) =>
  [...log.read(after)].map((item) => (item.kind === 'entry' ? item.mark : item.fault))

describe.each(changes)('a log with %s', (_name, how) => {
  it('is read from every mark as it was written', async () => {
    const { log, marks, change } = await aLog()
    const lines = marks.map((each) => log.lineOf(each))
    expect(log.altered()).toEqual([])
    change(how)
    expect(read(log)).toEqual(marks)
    for (const [at, each] of marks.entries()) {
      expect(read(log, each)).toEqual(marks.slice(at + 1))
      expect(log.holds(each)).toBe('holds')
      expect(log.lineOf(each)).toEqual(lines[at])
      expect([...log.entriesAfter(each.position)].map(({ position }) => position)).toEqual(positions.slice(at + 1))
    }
    expect(log.altered()).toEqual([1, 6])
  })

  it('is restored byte by byte', async () => {
    const { log, texts, change } = await aLog()
    change(how)
    log.restore()
    for (const [each, text] of texts) expect(readFileSync(log.fileOf(each), 'utf8')).toBe(text)
    expect(log.altered()).toEqual([])
  })

  it('goes on where it ended, with the segment restored', async () => {
    const { log, marks, texts, change, last } = await aLog()
    change(how)
    const next = log.append(last, [renamed('next')])
    expect(read(log)).toEqual([...marks, next])
    expect(readFileSync(log.fileOf(6)).toString('utf8', 0, next.start)).toBe(texts.get(6))
    expect(log.altered()).toEqual([1])
  })

  it('loses the remains of an entry that a crash interrupted, and nothing else', async () => {
    const { log, marks, texts, change, last } = await aLog()
    const torn = `${texts.get(6) ?? ''}${(texts.get(1) ?? '').slice(0, 150)}`
    change(how)
    writeFileSync(log.fileOf(6), how(torn))
    expect(read(log)).toEqual(marks)
    log.beginSegment(last)
    const next = log.append(last, [renamed('next')])
    expect(read(log)).toEqual([...marks, next])
    expect(readFileSync(log.fileOf(6), 'utf8')).toBe(texts.get(6))
  })

  it('names a damaged line alone', async () => {
    const { log, marks, change } = await aLog()
    change((text) => how(text.replace('Überschrift 3', 'Überschrift X')))
    const found = read(log)
    expect(found.map((each) => ('kind' in each ? each.kind : each.position))).toEqual([
      1,
      2,
      'damaged',
      ...positions.slice(3),
    ])
    expect(found.at(-1)).toEqual(marks.at(-1))
  })
})

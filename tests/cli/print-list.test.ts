import { Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'

import type { List } from '../../packages/cli/command.ts'
import { printList } from '../../packages/cli/print-list.ts'
import { table } from '../../packages/cli/table.ts'

/** A reader that takes one piece at a time, when asked. */
function slowReader() {
  let text = ''
  let take: (() => void) | null = null
  const stdout = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      take = () => {
        text += chunk.toString('utf8')
        take = null
        done()
      }
    },
  })
  return { stdout, text: () => text, waits: () => take !== null, take: () => take?.() }
}

function aList(length: number) {
  const read = { rows: 0 }
  const list: List<number> = {
    *rows() {
      for (let at = 0; at < length; at += 1) {
        read.rows += 1
        yield at
      }
    },
    json: (row) => ({ row, text: 'x'.repeat(1000) }),
    headings: ['ROW', 'TEXT'],
    cells: (row) => [String(row), row % 2 === 0 ? 'even' : 'uneven \u202edlrow\u001b[2J'],
    none: 'No rows.',
  }
  return { list, read }
}

async function printed(length: number, asJson: boolean): Promise<string> {
  const reader = slowReader()
  const printing = printList(reader.stdout, aList(length).list, { asJson, signal: new AbortController().signal })
  const state = { isOver: false }
  void printing.then(() => (state.isOver = true))
  while (!state.isOver || reader.waits()) {
    reader.take()
    await nextTurn()
  }
  return reader.text()
}

describe('a list', () => {
  it.each([0, 1, 500])('of %i rows is the same JSON and table as in one piece', async (length) => {
    const { list } = aList(length)
    expect(await printed(length, true)).toBe(`${JSON.stringify([...list.rows()].map(list.json))}\n`)
    const whole = length === 0 ? 'No rows.' : table(list.headings, [...list.rows()].map(list.cells))
    expect(await printed(length, false)).toBe(`${whole}\n`)
  })

  it('is read no faster than it is taken', async () => {
    const reader = slowReader()
    const { list, read } = aList(10_000)
    const stop = new AbortController()
    const printing = printList(reader.stdout, list, { asJson: true, signal: stop.signal })
    for (let turn = 0; turn < 100; turn += 1) await nextTurn()
    // All rows were read once before.
    expect(read.rows - 10_000).toBeLessThan(200)
    stop.abort()
    await expect(printing).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('prints nothing if a row cannot be read', async () => {
    const reader = slowReader()
    const { list } = aList(3)
    const damaged: typeof list = {
      ...list,
      *rows() {
        yield 0
        throw new Error('damaged')
      },
    }
    const { signal } = new AbortController()
    await expect(printList(reader.stdout, damaged, { asJson: true, signal })).rejects.toThrow('damaged')
    expect(reader.waits()).toBe(false)
  })
})

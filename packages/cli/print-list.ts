import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { print } from '@galley/platform'

import type { List } from './command.ts'
import { columnWidths, tableLine } from './table.ts'

/** How much of a list is in memory before it is written, in UTF-16 units. */
const writtenAtOnce = 64 * 1024

/**
 * Prints a list row by row, at the speed of its reader. All rows are read once before: damage of the index ends the command
 * before anything is printed. Throws AbortError if the command is interrupted.
 */
export async function printList<Row>(
  stdout: Writable,
  list: List<Row>,
  { asJson, signal }: { readonly asJson: boolean; readonly signal: AbortSignal },
): Promise<null> {
  const widths = columnWidths(list.headings, cellsOf(list))
  let waiting = ''
  for (const text of asJson ? jsonParts(list) : textParts(list, widths)) {
    waiting += text
    if (waiting.length < writtenAtOnce) continue
    print(stdout, waiting)
    waiting = ''
    if (stdout.writableNeedDrain) await once(stdout, 'drain', { signal })
    signal.throwIfAborted()
  }
  print(stdout, `${waiting}\n`)
  return null
}

function* cellsOf<Row>({ rows, cells }: List<Row>): Generator<readonly string[]> {
  for (const row of rows()) yield cells(row)
}

function* jsonParts<Row>({ rows, json }: List<Row>): Generator<string> {
  let before = '['
  for (const row of rows()) {
    yield before + JSON.stringify(json(row))
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

function* textParts<Row>(list: List<Row>, widths: readonly number[]): Generator<string> {
  let isEmpty = true
  for (const cells of cellsOf(list)) {
    if (isEmpty) yield tableLine(list.headings, widths)
    isEmpty = false
    yield `\n${tableLine(cells, widths)}`
  }
  if (isEmpty) yield list.none
}

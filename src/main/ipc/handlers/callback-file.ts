import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Index } from '@galley/library'
import { csvColumns, csvLine, shareableRow } from '@galley/library'
import type { CallbackFilters, CallbackRow } from '@galley/library/records'

/** Rows to read at a time. */
const batch = 500

/** Writes the filtered callbacks to a file, redacted. Returns their number. */
export async function writeCallbacks(
  list: Index['callbackList'],
  filters: CallbackFilters,
  format: 'csv' | 'json',
  path: string,
): Promise<number> {
  let count = 0
  const text = function* () {
    if (format === 'csv') yield csvLine(csvColumns)
    for (const row of rowsOf(list, filters)) {
      const shared = shareableRow(row)
      count += 1
      yield format === 'csv'
        ? csvLine(csvColumns.map((column) => shared[column]))
        : `${count === 1 ? '[\n' : ',\n'}${JSON.stringify(shared)}`
    }
    if (format === 'json') yield count === 0 ? '[]\n' : '\n]\n'
  }
  await pipeline(Readable.from(text()), createWriteStream(path, { mode: 0o600 }))
  return count
}

function* rowsOf(list: Index['callbackList'], filters: CallbackFilters): Generator<CallbackRow> {
  let upTo = Number.MAX_SAFE_INTEGER
  for (;;) {
    const rows = list.back(filters, upTo, batch)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < batch) return
    upTo = last.arrival - 1
  }
}

import type { CallbackDetail, CallbackRow } from '../../../contract/ipc/callbacks.ts'
import { impersonal } from './impersonal.ts'

/** An address without its query and its user: what is shared names a place, and lets nobody in. */
const bare = (url: string | null): string =>
  url === null ? '' : url.replace(/[?#].*$/s, '').replace(/^(\w+:\/\/)[^/]*@/, '$1')

type Cell = string | number | null

/** What of a row goes into a file, by the name it has there. */
const cells = {
  id: (row) => row.id,
  site: (row) => row.site,
  received_at: (row) => row.receivedAt,
  kind: (row) => row.kind,
  material_id: (row) => row.materialId,
  outcome: (row) => row.outcome,
  http_status: (row) => row.httpStatus,
  code: (row) => row.code,
  signature: (row) => row.signature,
  version_id: (row) => row.versionId,
  duration_ms: (row) => row.durationMs,
} satisfies Readonly<Record<string, (row: CallbackRow) => Cell>>

type Column = keyof typeof cells
export const csvColumns = Object.keys(cells) as readonly Column[]

/** A row of the log for a file that leaves the machine: nothing in it names a person or proves anything. */
export const shareableRow = (row: CallbackRow): Readonly<Record<Column, Cell>> =>
  Object.fromEntries(
    csvColumns.map((column) => {
      const cell = cells[column](row)
      return [column, typeof cell === 'string' ? impersonal(cell) : cell]
    }),
  ) as Record<Column, Cell>

/** One line of CSV (RFC 4180). A cell that a spreadsheet would take for a formula is kept a text. */
export const csvLine = (line: readonly Cell[]): string =>
  `${line
    .map((cell) => {
      const text = String(cell ?? '')
      const safe = typeof cell === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
      return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
    })
    .join(',')}\r\n`

/** A report about one callback for whoever has to look into it. The body stays out: it names people. */
export function callbackReport({ callback, row, budgetMs, totalMs, request }: CallbackDetail, version: string): string {
  const lines = [
    `Galley ${version}, callback ${callback.id}`,
    '',
    `received   ${callback.receivedAt}`,
    `site       ${callback.site}`,
    `event      ${callback.kind}`,
    `material   ${callback.materialId ?? '(none)'}`,
    `address    ${bare(callback.contentUrl)}`,
    `signature  ${callback.signature}`,
    `outcome    ${callback.outcome}${callback.code === null ? '' : ` (${callback.code})`}`,
    `answer     HTTP ${callback.httpStatus}, rc ${callback.rc}, ${callback.rm}`,
    `version    ${callback.versionId ?? '(none)'}`,
    `time       ${row.durationMs ?? Math.round(totalMs)} ms of ${budgetMs} ms`,
    `body       ${request.bodyBytes ?? 'unknown'} bytes`,
    '',
    ...callback.steps.map(({ name, ms }) => `  ${name.padEnd(12)} ${ms} ms`),
    '',
    ...request.headers.map(({ name, value }) => `  ${name}: ${value ?? '(not kept)'}`),
  ]
  return impersonal(`${lines.join('\n')}\n`)
}

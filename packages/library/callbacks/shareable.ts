import { hideCredentials, keysIn } from '@galley/wire'

import type { CallbackDetail, CallbackRow } from '../views/callbacks.ts'

/** Patterns of personal data and credentials, and their replacements. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/[^\s@/:;,"'<>()]+@[^\s@/:;,"'<>()]+/g, '(e-mail)'],
  [/\b[0-9a-f]{64}\b/gi, '(signature)'],
  [/\b(?!127\.)(?:\d{1,3}\.){3}\d{1,3}\b/g, '(IP)'],
  [
    /(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*)?::[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*/gi,
    '(IP)',
  ],
]

/**
 * A text without e-mail addresses, IP addresses, signatures and credentials, for data that leaves this computer. The ids and
 * names in unsigned callbacks can be anything, and reasons are free text. Loopback addresses are not personal and stay.
 */
const impersonal = (text: string): string =>
  patterns.reduce((shown, [form, placeholder]) => shown.replaceAll(form, placeholder), hideCredentials(text))

/** A URL without query and user info, so that it grants no access. */
const bare = (url: string | null): string =>
  url === null ? '' : url.replace(/[?#].*$/s, '').replace(/^(\w+:\/\/)[^/]*@/, '$1')

type Cell = string | number | null

/** The columns of an exported row, by their names in the file. */
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
export const csvColumns = keysIn(cells)

/** A row of the log for a file that leaves this computer, without personal data and credentials. */
export const shareableRow = (row: CallbackRow): Readonly<Record<Column, Cell>> =>
  Object.fromEntries(
    csvColumns.map((column) => {
      const cell = cells[column](row)
      return [column, typeof cell === 'string' ? impersonal(cell) : cell]
    }),
  ) as Record<Column, Cell>

/** A line of CSV (RFC 4180). Cells that a spreadsheet would evaluate as a formula are escaped. */
export const csvLine = (line: readonly Cell[]): string =>
  `${line
    .map((cell) => {
      const text = String(cell ?? '')
      const safe = typeof cell === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
      return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
    })
    .join(',')}\r\n`

/** A report about a callback for debugging. Omits the body, which contains personal data. */
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
    ...request.headers.map(({ name, value }) => `  ${name}: ${value ?? '(redacted)'}`),
  ]
  return impersonal(`${lines.join('\n')}\n`)
}

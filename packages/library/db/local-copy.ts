import { existsSync } from 'node:fs'
import { parsedJson } from '@galley/wire'
import BetterSqlite3 from 'better-sqlite3'
import { z } from 'zod'

import { callbackKinds, outcomes, signatureStates } from '../views/callbacks.ts'
import { copyIndex } from './copy.ts'
import { hasLocalSchema, prepareLocal } from './database/open.ts'

/** Copies `local.db` without data of this computer: keychain marks and settings, including confirmed addresses. */
export async function copyLocal(local: string, target: string, signal: AbortSignal): Promise<void> {
  await copyIndex(local, target, () => undefined, signal)
  const db = new BetterSqlite3(target)
  try {
    db.pragma('journal_mode = DELETE')
    db.pragma('secure_delete = ON')
    db.exec(
      'DELETE FROM secret_mark; DELETE FROM setting; DELETE FROM page_font; DELETE FROM webhook_delivery; DELETE FROM comparison',
    )
  } finally {
    db.close()
  }
}

const isJson =
  (schema: z.ZodType) =>
  (text: string): boolean =>
    schema.safeParse(parsedJson(text)).success
const headers = z.array(z.object({ name: z.string(), value: z.string().nullable() }))
const steps = z.array(z.object({ name: z.string(), ms: z.number() }))

/** The columns of a callback that are parsed. */
const callbackRow = z.object({
  received_at: z.string().refine((text) => !Number.isNaN(Date.parse(text))),
  kind: z.enum(callbackKinds),
  signature: z.enum(signatureStates),
  outcome: z.enum(outcomes).nullable(),
  steps: z.string().refine(isJson(steps)),
  headers: z.string().refine(isJson(headers)).nullable(),
  signature_form: z
    .string()
    .refine(isJson(z.object({})))
    .nullable(),
  facts: z.string().refine(isJson(z.record(z.string(), z.unknown()))),
})

/** The tables that a restore takes from the `local.db` of a backup, besides callbacks. All others are ignored. */
const taken = [
  'INSERT INTO saved_view SELECT site, subject, name, query FROM backup.saved_view',
  `UPDATE callbacks_of_log SET position = coalesce((SELECT max(position) FROM backup.callbacks_of_log), 0),
     told = coalesce((SELECT max(told) FROM backup.callbacks_of_log), 0)`,
]

/**
 * Copies callbacks and saved views into a new `local.db`; false if the copy was not written by Galley. Skips invalid
 * callbacks, because one such row would make the whole list unreadable. Throws NewerLibraryError.
 */
export function takeLocal(copy: string, local: string): boolean {
  if (!existsSync(copy) || !hasLocalSchema(copy)) return false
  prepareLocal(copy)
  const db = new BetterSqlite3(local)
  try {
    db.prepare('ATTACH ? AS backup').run(copy)
    const all = db.prepare<[number], { arrival: number }>(
      'SELECT * FROM backup.callback WHERE arrival > ? ORDER BY arrival LIMIT 1000',
    )
    const take = db.prepare<[number]>('INSERT INTO callback SELECT * FROM backup.callback WHERE arrival = ?')
    db.transaction(() => {
      for (const statement of taken) db.exec(statement)
      for (let rows = all.all(Number.MIN_SAFE_INTEGER); rows.length > 0; rows = all.all(rows.at(-1)?.arrival ?? 0))
        for (const row of rows) if (callbackRow.safeParse(row).success) take.run(row.arrival)
    })()
    return true
  } finally {
    db.close()
  }
}

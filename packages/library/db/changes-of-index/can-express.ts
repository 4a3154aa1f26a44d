import { setImmediate as nextTurn } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'

import { change as changeSchema } from '../../records/changes.ts'
import { changesOf } from './changes-of.ts'

/** Changes to read before yielding to the event loop. */
const changesAtOnce = 200

/** Values of lists that follow from other rows, and that no change has. */
const contradicting = `SELECT 1 FROM material m LEFT JOIN version v ON v.id = m.current_version
    WHERE m.saved_at IS NOT v.received_at OR m.editor IS NOT v.user_email
  UNION ALL SELECT 1 FROM online_page WHERE since NOT IN (SELECT at FROM release) LIMIT 1`

/** Whether every row of an index can be expressed as changes of a log. Checks a checkpoint from an untrusted source. */
export async function canExpressAsChanges(
  { index, local }: { readonly index: string; readonly local: string },
  signal: AbortSignal,
): Promise<boolean> {
  const db = new BetterSqlite3(index, { readonly: true })
  try {
    db.prepare('ATTACH ? AS local').run(local)
    if (db.prepare(contradicting).get() !== undefined) return false
    let count = 0
    for (const change of changesOf(db)) {
      if (!changeSchema.safeParse(JSON.parse(JSON.stringify(change))).success) return false
      count += 1
      if (count % changesAtOnce !== 0) continue
      signal.throwIfAborted()
      await nextTurn()
    }
    return true
  } catch (error) {
    // A column contains invalid JSON, or JSON of another form.
    if (error instanceof SyntaxError || error instanceof TypeError) return false
    throw error
  } finally {
    db.close()
  }
}

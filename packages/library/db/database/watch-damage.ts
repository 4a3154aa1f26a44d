import type { Database } from 'better-sqlite3'

import { isDamage } from './open.ts'

type Method = (this: unknown, ...values: unknown[]) => unknown

/** Replaces methods of an object by ones that report damage and throw it. */
function guard(
  object: object,
  names: readonly string[],
  onDamage: () => void,
  then = (result: unknown) => result,
): void {
  for (const name of names) {
    const run = Reflect.get(object, name) as Method
    Object.defineProperty(object, name, {
      configurable: true,
      writable: true,
      value(this: unknown, ...values: unknown[]): unknown {
        try {
          return then(run.apply(this, values))
        } catch (error) {
          if (isDamage(error)) onDamage()
          throw error
        }
      },
    })
  }
}

/**
 * Calls `onDamage` when any statement on this connection meets damage in its files, whoever runs it and whatever becomes of the
 * error. Damage may show only when a page is read that no check at opening has read.
 */
export function watchDamage(db: Database, onDamage: () => void): Database {
  guard(db, ['exec', 'pragma'], onDamage)
  guard(db, ['prepare'], onDamage, (statement) => {
    guard(statement as object, ['get', 'all', 'run'], onDamage)
    guard(statement as object, ['iterate'], onDamage, (rows) => {
      guard(rows as object, ['next'], onDamage)
      return rows
    })
    return statement
  })
  return db
}

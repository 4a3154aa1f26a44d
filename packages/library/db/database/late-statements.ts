import type { Database, Statement } from 'better-sqlite3'

/** A statement that is prepared when it first runs. */
function lateStatement(prepare: () => Statement): object {
  let made: Statement | null = null
  let isPlucked = false
  const statement = (): Statement => (made ??= isPlucked ? prepare().pluck() : prepare())
  return {
    pluck() {
      isPlucked = true
      return this
    },
    get: (...values: unknown[]) => statement().get(...values),
    all: (...values: unknown[]) => statement().all(...values),
    run: (...values: unknown[]) => statement().run(...values),
    iterate: (...values: unknown[]) => statement().iterate(...values),
  }
}

/**
 * Lets `prepare` wait until a statement is run: a library has hundreds of statements and most openings, such as that of
 * a command, run few. What SQLite finds wrong with a statement it then says where it runs.
 */
export function prepareLate(db: Database): Database {
  const prepare = db.prepare.bind(db)
  Object.defineProperty(db, 'prepare', {
    configurable: true,
    writable: true,
    value: (sql: string) => lateStatement(() => prepare(sql)),
  })
  return db
}

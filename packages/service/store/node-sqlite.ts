/**
 * Node's own SQLite, with the parts of better-sqlite3 that the emulator uses. The developer kit, which brings no native code,
 * has this module in the place of better-sqlite3.
 */

import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

/** Node 22 calls the module experimental, on standard error. */
function quietly<Result>(action: () => Result): Result {
  const warn = process.emitWarning
  process.emitWarning = () => undefined
  try {
    return action()
  } finally {
    process.emitWarning = warn
  }
}

const { DatabaseSync } = quietly(() => process.getBuiltinModule('node:sqlite'))

/** The results of SQLite that are answered with words, by their numbers. */
const named: Readonly<Record<number, string>> = { 5: 'SQLITE_BUSY', 26: 'SQLITE_NOTADB' }

/** Gives an error of SQLite the code that better-sqlite3 gives it. */
function coded<Result>(action: () => Result): Result {
  try {
    return action()
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? named[Number(error.errcode) & 0xff] : undefined
    throw code === undefined ? error : Object.assign(new Error('SQLite refused it', { cause: error }), { code })
  }
}

type Row = Record<string, SQLOutputValue>
type Parameters = readonly (SQLInputValue | Record<string, SQLInputValue>)[]

const toRow = (row: Row): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value,
    ]),
  )

export default class NodeDatabase {
  readonly #db
  #isInTransaction = false

  constructor(file: string, { timeout }: { readonly timeout: number }) {
    this.#db = coded(() => new DatabaseSync(file))
    this.exec(`PRAGMA busy_timeout = ${timeout}`)
  }

  exec(sql: string): void {
    coded(() => this.#db.exec(sql))
  }

  prepare(sql: string) {
    const statement = coded(() => this.#db.prepare(sql))
    // Objects may have more than the statement names.
    statement.setAllowUnknownNamedParameters(true)
    const call = <Name extends 'get' | 'all' | 'run'>(name: Name, values: Parameters) =>
      coded(() => Reflect.apply(statement[name], statement, values) as ReturnType<StatementSync[Name]>)
    return {
      get(...values: Parameters): object | undefined {
        const row = call('get', values)
        return row && toRow(row)
      },
      all: (...values: Parameters): object[] => call('all', values).map(toRow),
      run: (...values: Parameters) => call('run', values),
    }
  }

  pragma(text: string, { simple = false }: { readonly simple?: boolean } = {}): unknown {
    const row = this.prepare(`PRAGMA ${text}`).get()
    return simple ? Object.values(row ?? {})[0] : row
  }

  /** A function that runs this one whole or not at all. Inside another one it is part of that. */
  transaction<Given extends unknown[], Result>(action: (...given: Given) => Result): (...given: Given) => Result {
    return (...given) => {
      if (this.#isInTransaction) return action(...given)
      this.exec('BEGIN')
      this.#isInTransaction = true
      try {
        const result = action(...given)
        this.exec('COMMIT')
        return result
      } catch (error) {
        if (this.#db.isTransaction) this.exec('ROLLBACK')
        throw error
      } finally {
        this.#isInTransaction = false
      }
    }
  }

  close(): void {
    this.#db.close()
  }
}

import BetterSqlite3 from 'better-sqlite3'

const slowMs = 50

type Method = (this: unknown, ...values: unknown[]) => unknown

/** Replaces a method of a class with one that receives the original call. */
function wrap(prototype: object, name: string, by: (run: Method) => Method): void {
  const run = Reflect.get(prototype, name) as Method
  Object.defineProperty(prototype, name, { value: by(run), writable: true, configurable: true })
}

let lines: ((line: string) => void) | null = null

function report(ms: number, what: unknown): void {
  if (ms > slowMs)
    lines?.(`a statement took ${Math.round(ms)} ms: ${String(what).replaceAll(/\s+/g, ' ').slice(0, 200)}`)
}

const sourceOf = (statement: unknown): unknown => Reflect.get(statement as object, 'source')

/** Rows are read one by one. Their reading times are added up, without the time that the reader takes. */
function watchRows(rows: IterableIterator<unknown>, onEnd: (ms: number) => void): void {
  let total = 0
  for (const name of ['next', 'return'] as const)
    wrap(
      rows,
      name,
      (run) =>
        function (...values) {
          const began = performance.now()
          let isOver = name === 'return'
          try {
            const step = run.apply(this, values) as IteratorResult<unknown>
            isOver ||= step.done === true
            return step
          } catch (error) {
            isOver = true
            throw error
          } finally {
            total += performance.now() - began
            if (isOver) onEnd(total)
          }
        },
    )
}

const timed =
  (whatOf: (self: unknown, values: readonly unknown[]) => unknown) =>
  (run: Method): Method =>
    function (...values) {
      const began = performance.now()
      try {
        return run.apply(this, values)
      } finally {
        const ms = performance.now() - began
        if (ms > slowMs) report(ms, whatOf(this, values))
      }
    }

/** The statements of all databases are of one class, also those of transactions and pragmas. */
function wrapAll(): void {
  const db = new BetterSqlite3(':memory:')
  const statement = Object.getPrototypeOf(db.prepare('SELECT 1')) as object
  db.close()
  for (const method of ['get', 'all', 'run']) wrap(statement, method, timed(sourceOf))
  wrap(
    statement,
    'iterate',
    (run) =>
      function (...values) {
        const rows = run.apply(this, values) as IterableIterator<unknown>
        watchRows(rows, (ms) => report(ms, sourceOf(this)))
        return rows
      },
  )
  wrap(
    BetterSqlite3.prototype,
    'exec',
    timed((_, [source]) => source),
  )
  wrap(
    BetterSqlite3.prototype,
    'close',
    timed(() => 'close'),
  )
}

/**
 * Starts to measure every statement that this thread runs, on any database, and the closing of a database, which
 * writes its log back. `report` receives the SQL of those that block the thread for more than 50 ms, without bound
 * values. There is one report for the process, like its log: a later call replaces it.
 */
export function watchStatements(report: (line: string) => void): void {
  if (lines === null) wrapAll()
  lines = report
}

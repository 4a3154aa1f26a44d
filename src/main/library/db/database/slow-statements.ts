import type { Database } from 'better-sqlite3'

const slowMs = 50

/**
 * Measures all statements prepared from now on. Pass a listener to the returned function: it receives statements that block
 * the thread for more than 50 ms. Reports contain the SQL, but no bound values. Iterated statements yield between rows and
 * are not measured.
 */
export function watchStatements(db: Database): (report: (line: string) => void) => void {
  let report: (line: string) => void = () => undefined
  const prepare = db.prepare.bind(db)
  db.prepare = ((source: string) => {
    const statement = prepare(source)
    for (const method of ['get', 'all', 'run'] as const) {
      const run = statement[method].bind(statement)
      statement[method] = ((...values: unknown[]) => {
        const began = performance.now()
        try {
          return run(...values)
        } finally {
          const ms = performance.now() - began
          if (ms > slowMs)
            report(`a statement took ${Math.round(ms)} ms: ${source.replaceAll(/\s+/g, ' ').slice(0, 200)}`)
        }
      }) as never
    }
    return statement
  }) as typeof db.prepare
  return (wanted) => void (report = wanted)
}

import type { Statement } from 'better-sqlite3'

export type ReadStatement<Bound extends unknown[], Row> = Pick<Statement<Bound, Row>, 'get' | 'all' | 'iterate'> & {
  /** Gives the first column of each row instead of the row. */
  pluck(): ReadStatement<Bound, Row>
}

/**
 * A database for reading: its statements cannot be run for their effect, and it opens no transaction. A module that
 * takes one writes only through changes of the log.
 */
export interface ReadHandle {
  prepare<Bound extends unknown[] | object = unknown[], Row = unknown>(
    sql: string,
  ): ReadStatement<Bound extends unknown[] ? Bound : [Bound], Row>
}

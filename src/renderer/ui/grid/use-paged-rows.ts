import { useMemo } from 'react'

import type { Rows } from './column.ts'

interface Paged<Row> extends Omit<Rows<Row>, 'at'> {
  /** By index; only those read so far. */
  readonly rows: ReadonlyMap<number, Row>
}

/** Rows that are loaded page by page. The same object as long as nothing changes. */
export function usePagedRows<Row>({ total, generation, rows, onVisible }: Paged<Row>): Rows<Row> {
  return useMemo(
    () => ({ total, generation, at: (index) => rows.get(index), ...(onVisible && { onVisible }) }),
    [total, generation, rows, onVisible],
  )
}

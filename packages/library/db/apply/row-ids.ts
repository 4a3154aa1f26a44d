/** Returns unique row ids, derived from the position of the current entry. */
export type NextId = () => number

/** Row ids per entry: enough for a change of a thousand materials, and exact up to entry 8 billion. */
const idsPerEntry = 2 ** 20

/** An entry brings more rows than it has ids. Those of the next entry would be the same. */
export class TooManyRowsError extends Error {}

/** Row ids that depend only on the log, so that every computer gives the same ones. */
export function createRowIds() {
  let position = 0
  let taken = 0
  const next: NextId = () => {
    if (taken === idsPerEntry) throw new TooManyRowsError()
    const id = position * idsPerEntry + taken
    taken += 1
    return id
  }
  return {
    next,
    /** The position of the current entry. */
    position: (): number => position,
    /** Call before the changes of an entry. */
    begin(at: number): void {
      position = at
      taken = 0
    },
    taken: (): number => taken,
    rewind(to: number): void {
      taken = to
    },
  }
}

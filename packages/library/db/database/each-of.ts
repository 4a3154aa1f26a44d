/** Reads rows one by one: between two of them, other statements may run, and rows that were deleted are left out. */
export function* eachOf<Id, Row>(ids: Iterable<Id>, read: (id: Id) => Row | null): Generator<Row> {
  for (const id of ids) {
    const row = read(id)
    if (row !== null) yield row
  }
}

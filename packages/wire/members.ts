/** The keys of a table, for tables whose type lists all keys that they have. */
export const keysIn = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[]

/** The members of an object that have a value: an absent member leaves a setting unchanged, or at its default. */
export const withoutUndefined = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Members]: Exclude<Members[Key], undefined>
  }

/** The keys of a table, for tables whose type lists all keys that they have. */
export const keysIn = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[]

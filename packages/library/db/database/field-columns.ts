import type { Field, FieldValues, RecordKind } from '../../records/fields.ts'
import { fieldsOf } from '../../records/fields.ts'

/** The value types of SQLite columns. */
export type Cell = string | number | null

/** Fields that are a column of their record's table, by the name of the column. */
export const columnsOf = (record: RecordKind): readonly (readonly [column: string, name: string, Field])[] =>
  Object.entries(fieldsOf(record)).flatMap(([name, field]) =>
    field.stored === 'words' ? [] : [[columnOf(name), name, field] as const],
  )

const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** SQL: the columns of a record's fields, of a table with this alias. */
export const selectedFields = (record: RecordKind, alias: string): string =>
  columnsOf(record)
    .map(([column]) => `${alias}.${column}`)
    .join(', ')

/** A value as its column holds it. */
export function toCell({ stored }: Field, value: unknown): Cell {
  if (stored === 'flag') return Number(value)
  return stored === 'json' && value !== null ? JSON.stringify(value) : (value as Cell)
}

function fromCell({ stored }: Field, cell: Cell): unknown {
  if (stored === 'flag') return cell === 1
  return stored === 'json' && typeof cell === 'string' ? JSON.parse(cell) : cell
}

/** The values of a record's fields from a row with their columns. */
export const fieldValues = <Kind extends RecordKind>(record: Kind, row: object): FieldValues<Kind> =>
  // The columns hold what `toCell` has made of these values.
  Object.fromEntries(
    columnsOf(record).map(([column, name, field]) => [
      name,
      fromCell(field, (row as Record<string, Cell>)[column] ?? null),
    ]),
  ) as FieldValues<Kind>

import type { Field } from '../../records/field.ts'
import type { FieldValues, RecordKind } from '../../records/fields.ts'
import { fieldsOf } from '../../records/fields.ts'

/** The value types of SQLite columns. */
export type Cell = string | number | null

/** The table of each record's fields, the column that names a row, and SQL for the row `r` of a key. */
export const tables: Readonly<
  Record<RecordKind, { readonly name: string; readonly id: string; readonly row: string }>
> = {
  version: {
    name: 'version',
    id: 'id',
    row: `version r JOIN material m ON m.id = r.material
      WHERE m.site = @site AND m.material_id = @materialId AND r.version_id = @versionId`,
  },
  material: { name: 'material', id: 'id', row: 'material r WHERE r.site = @site AND r.material_id = @materialId' },
  page: {
    name: 'page',
    id: 'material',
    row: 'material m LEFT JOIN page r ON r.material = m.id WHERE m.site = @site AND m.material_id = @materialId',
  },
  site: { name: 'site_setting', id: 'site', row: 'site_setting r WHERE r.site = @site' },
  fontSet: { name: 'snapshot', id: 'id', row: 'snapshot r WHERE r.site = @site AND r.snapshot_id = @snapshotId' },
}

/** Fields whose values are in a column of a row that is read, by the name of the column. */
const cellsOf = (record: RecordKind): readonly (readonly [column: string, name: string, Field])[] =>
  Object.entries(fieldsOf(record)).flatMap(([name, field]) =>
    field.stored === 'words' ? [] : [[columnOf(name), name, field] as const],
  )

/** Fields that are a column of their record's table. */
export const columnsOf = (record: RecordKind) => cellsOf(record).filter(([, , { stored }]) => stored !== 'rows')

const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** SQL: the columns of a record's fields, of a table with this alias. */
export const selectedFields = (record: RecordKind, alias: string): string =>
  columnsOf(record)
    .map(([column]) => `${alias}.${column}`)
    .join(', ')

/** SQL: the redirects of a page as a JSON array, newest first. The expression is the row of its material. */
export const redirectsOf = (material: string): string =>
  `(SELECT json_group_array(r.path ORDER BY r.place) FROM page_redirect r WHERE r.material = ${material})`

/** A value as its column holds it. */
export function toCell({ stored }: Field, value: unknown): Cell {
  if (stored === 'flag') return Number(value)
  return stored === 'json' && value !== null ? JSON.stringify(value) : (value as Cell)
}

function fromCell({ stored, initial }: Field, cell: Cell): unknown {
  if (cell === null) return initial
  if (stored === 'flag') return cell === 1
  return (stored === 'json' || stored === 'rows') && typeof cell === 'string' ? JSON.parse(cell) : cell
}

/** The values of a record's fields from a row with their columns. Null is the initial value. */
export const fieldValues = <Kind extends RecordKind>(record: Kind, row: object): FieldValues<Kind> =>
  // The columns hold what `toCell` has made of these values.
  Object.fromEntries(
    cellsOf(record).map(([column, name, field]) => [
      name,
      fromCell(field, (row as Record<string, Cell>)[column] ?? null),
    ]),
  ) as FieldValues<Kind>

import type { z } from 'zod'

/** `words` and `rows` are in another table: a change adds and removes some words, and replaces all rows. */
type Stored = 'plain' | 'flag' | 'json' | 'words' | 'rows'

/** A field of a record. */
export interface Field<Type extends z.ZodType = z.ZodType, Initial = unknown> {
  /** The range that the log takes. */
  readonly type: Type
  readonly stored: Stored
  /** The initial value. */
  readonly initial: Initial
  /** Whether a change may wait on this computer while the bucket of a team does not respond. */
  readonly mayWait: boolean
  /** What two values have in common that mean the same: without who set them, and when. */
  meaning(value: z.output<Type>): unknown
}

export function field<Type extends z.ZodType, const Initial extends z.output<Type> | null>(
  stored: Stored,
  type: Type,
  initial: Initial,
  others: Partial<Pick<Field<Type>, 'mayWait' | 'meaning'>> = {},
): Field<Type, Initial> {
  return { stored, type, initial, mayWait: false, meaning: (value) => value, ...others }
}

export type FieldTable = Readonly<Record<string, Field>>
/** The values of fields, by name. */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Field<infer Type, infer Initial>
    ? z.output<Type> | (null extends Initial ? null : never)
    : never
}

/** The initial values of fields. */
export const initialValues = <Table extends FieldTable>(table: Table): ValuesOf<Table> =>
  // The values are those of the table.
  Object.fromEntries(Object.entries(table).map(([name, { initial }]) => [name, initial])) as ValuesOf<Table>

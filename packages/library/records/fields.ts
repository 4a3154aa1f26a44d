import { z } from 'zod'

import { list, materialId, moment, shortList, tag, text, title, versionId } from './logged-values.ts'

// What people set on records by hand. Everything else follows from this table: what the log takes, the column of each field
// (its name in snake case), which changes may wait while the bucket of a team does not respond, and what counts as the same value.

/** `words`: rows of another table; a change adds and removes some of them. */
type Stored = 'plain' | 'flag' | 'json' | 'words'

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

function field<Type extends z.ZodType, Initial>(
  stored: Stored,
  type: Type,
  initial: Initial,
  others: Partial<Pick<Field<Type>, 'mayWait' | 'meaning'>> = {},
): Field<Type, Initial> {
  return { stored, type, initial, mayWait: true, meaning: (value) => value, ...others }
}

export const decisions = ['approved', 'changes_requested'] as const

const verdict = z.object({
  /** `cleared` takes back the one before. */
  decision: z.enum([...decisions, 'cleared']),
  /** The name of the person. */
  by: z.string().min(1).max(200),
  at: moment,
  reason: text,
  /** The version with which this one was compared; null if it was not compared. */
  baseline: versionId.nullable(),
})
/** What a person has decided about a version. */
export type GivenVerdict = Readonly<z.output<typeof verdict>>
/** The decision that holds. */
export type Verdict = GivenVerdict & { readonly decision: (typeof decisions)[number] }

/** The verdict that holds; null after the last one was cleared. */
export const standingVerdict = (given: GivenVerdict | null): Verdict | null =>
  given === null || given.decision === 'cleared' ? null : { ...given, decision: given.decision }

/** All fields, by record. */
export const fields = {
  version: {
    pinned: field('flag', z.boolean(), false),
    tags: field('json', shortList(tag, 50), [] as readonly string[]),
    note: field('plain', text, ''),
    verdict: field('json', verdict, null, {
      meaning: ({ decision, reason }) => (decision === 'cleared' ? null : { decision, reason }),
    }),
  },
  material: {
    title: field('plain', title, ''),
    slug: field('plain', text, ''),
    tags: field('words', z.object({ add: list(tag), remove: list(tag) }), null),
    /** When it was archived. Null: it is in the lists. */
    archivedAt: field('plain', moment.nullable(), null, { meaning: (at) => at !== null }),
    /** Saves of it are refused. A rule may exist before its material. */
    refused: field('json', z.object({ reason: text, since: moment }).nullable(), null, {
      mayWait: false,
      meaning: (refused) => refused && refused.reason,
    }),
  },
} as const

/** How records are named within their site. */
export const recordKeys = {
  version: z.object({ materialId, versionId }),
  material: z.object({ materialId }),
} as const

type Fields = typeof fields
export type RecordKind = keyof Fields
export type FieldName<Kind extends RecordKind = RecordKind> = Kind extends RecordKind
  ? keyof Fields[Kind] & string
  : never
export type RecordKey<Kind extends RecordKind> = Readonly<z.output<(typeof recordKeys)[Kind]>>
type Types<Kind extends RecordKind> = {
  [Name in keyof Fields[Kind]]: Fields[Kind][Name] extends Field<infer Type> ? Type : never
}
/** The values of a record, by field. */
export type FieldValues<Kind extends RecordKind> = {
  readonly [Name in keyof Fields[Kind]]: Fields[Kind][Name] extends Field<infer Type, infer Initial>
    ? z.output<Type> | Initial
    : never
}

/** The fields of a record by name, for code that treats all alike. */
export const fieldsOf = (record: RecordKind): Readonly<Record<string, Field>> => fields[record]

/** The types of a record's fields, for schemas. */
const fieldTypes = <Kind extends RecordKind>(record: Kind): Types<Kind> =>
  // The entries are those of the table.
  Object.fromEntries(Object.entries(fieldsOf(record)).map(([name, { type }]) => [name, type])) as Types<Kind>

/** Values to set. Missing members are unchanged. */
export const settable = <Kind extends RecordKind>(record: Kind) => z.strictObject(fieldTypes(record)).partial()
export type FieldsToSet<Kind extends RecordKind> = z.output<ReturnType<typeof settable<Kind>>>

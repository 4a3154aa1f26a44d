import { z } from 'zod'

import { place } from './comment.ts'
import { isEditLink } from './edit-link.ts'
import { fieldMax } from './field-max.ts'
import type { Field, FieldTable, ValuesOf } from './field.ts'
import { field } from './field.ts'
import { list, materialId, moment, shortList, snapshotId, tag, text, title, versionId } from './logged-values.ts'
import { decisions } from './outgoing.ts'
import { pageFields, publishingFields } from './site-model-fields.ts'
import { targetNameForm } from './target.ts'
import { isWebhookUrl, webhookEvents } from './webhook-setting.ts'

// What people set on records by hand. Everything else follows from this table: what the log takes, the column of each field
// (its name in snake case), which changes may wait while the bucket of a team does not respond, and what counts as the same value.

const verdict = z.object({
  /** `cleared` takes back the one before. */
  decision: z.enum([...decisions, 'cleared']),
  /** The name of the person, or of Galley where a rule has decided. */
  by: z.string().min(1).max(fieldMax.personName),
  at: moment,
  reason: text,
  /** The version with which this one was compared; null if it was not compared. */
  baseline: versionId.nullable(),
  /** The rule of the site that has decided; absent: a person. */
  rule: z.literal('unchanged').optional(),
})
/** What a person decides; null takes back the last decision. */
export const wantedVerdict = z.strictObject({ decision: z.enum(decisions), reason: verdict.shape.reason }).nullable()
export type WantedVerdict = z.output<typeof wantedVerdict>
/** What a person has decided about a version. */
export type GivenVerdict = Readonly<z.output<typeof verdict>>
/** The decision that holds. */
export type Verdict = GivenVerdict & { readonly decision: (typeof decisions)[number] }

/** The verdict that holds; null after the last one was cleared. */
export const verdictInForce = (given: GivenVerdict | null): Verdict | null =>
  given === null || given.decision === 'cleared' ? null : { ...given, decision: given.decision }

/** Why saves are refused. */
export const reason = z.string().max(fieldMax.refusalReason)
/** Saves that are refused by hand: why, and since when. */
const pause = z.object({ reason, since: moment })
const waits = { mayWait: true }

/** A part of a page: the blocks that a person chose in a version of it. */
const pagePart = z.object({
  versionId,
  blocks: shortList(place, fieldMax.partBlocks).refine((blocks) => blocks.length > 0),
  /** The beginning of its text. */
  label: z.string().max(fieldMax.partLabel),
})
/** A part of a page whose looks are not compared. */
export type IgnoredPart = Readonly<z.output<typeof pagePart>>

/** Whether two are the same part of the same version, whatever their labels. */
export const isSamePart = (one: IgnoredPart, other: IgnoredPart): boolean =>
  one.versionId === other.versionId && JSON.stringify(one.blocks) === JSON.stringify(other.blocks)

/** All fields, by record. */
export const fields = {
  version: {
    pinned: field('flag', z.boolean(), false, waits),
    tags: field('json', shortList(tag, fieldMax.versionTags), [], waits),
    note: field('plain', text, '', waits),
    verdict: field('json', verdict, null, {
      ...waits,
      meaning: ({ decision, reason }) => (decision === 'cleared' ? null : { decision, reason }),
    }),
  },
  material: {
    title: field('plain', title, '', waits),
    slug: field('plain', text, '', waits),
    tags: field('words', z.object({ add: list(tag), remove: list(tag) }), null, waits),
    /** When it was archived. Null: it is in the lists. */
    archivedAt: field('plain', moment.nullable(), null, { ...waits, meaning: (at) => at !== null }),
    /** Saves of it are refused. A rule may exist before its material. */
    refused: field('json', pause.nullable(), null, { meaning: (refused) => refused && refused.reason }),
    /** Parts of its page whose looks are not compared, such as a clock. */
    ignored: field('json', shortList(pagePart, fieldMax.ignoredParts), [], waits),
  },
  page: pageFields,
  site: {
    ...publishingFields,
    /** Whose saves are refused. In a pattern, `*` stands for any characters; case is ignored. */
    editors: field(
      'json',
      shortList(z.object({ pattern: z.string().min(1).max(fieldMax.refusedPattern), reason }), 200),
      [],
    ),
    /** `key`: the metadata key with the time limit: the `exp` of a JWT, seconds, milliseconds or ISO 8601. */
    expiredToken: field(
      'json',
      z.object({ action: z.enum(['refuse', 'accept']), key: z.string().min(1).max(fieldMax.tokenKey) }),
      {
        action: 'accept',
        key: 'timeLimitedAuthToken',
      },
    ),
    /** Where the site's authors edit a material, with `{material_id}` in its place; empty: not known. */
    editLink: field('plain', z.string().refine(isEditLink), ''),
    /** Also of all sites together, under the empty name. */
    pause: field('json', pause.nullable(), null),
    /** Where the site tells what happens; null: nowhere. A computer sends nothing there before a person has confirmed it. */
    webhookUrl: field('plain', z.string().refine(isWebhookUrl).nullable(), null),
    webhookEvents: field('json', shortList(z.enum(webhookEvents), webhookEvents.length), [...webhookEvents]),
    /** Whether the webhook is told the names of people. */
    namesInWebhook: field('flag', z.boolean(), false),
    /** Whether the person who saved a version may approve it. */
    samePersonMayApprove: field('flag', z.boolean(), true),
    /** A version that neither reads nor looks different from its baseline is approved by this rule. */
    approveUnchanged: field('flag', z.boolean(), false),
    /** The name of the target that readers see; null: the one of the newest release. */
    liveTarget: field('plain', z.string().regex(targetNameForm).nullable(), null),
  },
  fontSet: {},
} as const

/** How records are named within their site. */
export const recordKeys = {
  version: z.object({ materialId, versionId }),
  material: z.object({ materialId }),
  page: z.object({ materialId }),
  /** There is one. */
  site: z.object({}),
  fontSet: z.object({ snapshotId }),
} as const

type Fields = typeof fields
export type RecordKind = keyof Fields
export type FieldName<Kind extends RecordKind = RecordKind> = Kind extends RecordKind
  ? keyof Fields[Kind] & string
  : never
type Keys = { readonly [Kind in RecordKind]: Readonly<z.output<(typeof recordKeys)[Kind]>> }
export type RecordKey<Kind extends RecordKind> = Keys[Kind]
type Types<Kind extends RecordKind> = {
  [Name in keyof Fields[Kind]]: Fields[Kind][Name] extends Field<infer Type> ? Type : never
}
/** The values of a record, by field. */
export type FieldValues<Kind extends RecordKind> = ValuesOf<Fields[Kind]>

/** The fields of a record by name, for code that treats all alike. */
export const fieldsOf = (record: RecordKind): FieldTable => fields[record]

/** The types of a record's fields, for schemas. */
const fieldTypes = <Kind extends RecordKind>(record: Kind): Types<Kind> =>
  // The entries are those of the table.
  Object.fromEntries(Object.entries(fieldsOf(record)).map(([name, { type }]) => [name, type])) as Types<Kind>

/** Values to set. Missing members are unchanged. */
export const settable = <Kind extends RecordKind>(record: Kind) => z.strictObject(fieldTypes(record)).partial()
export type FieldsToSet<Kind extends RecordKind> = z.output<ReturnType<typeof settable<Kind>>>

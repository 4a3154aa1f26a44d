import type { CallbackFilters } from '@galley/library/records'
import { callbackKinds, outcomes, signatureStates } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { z } from 'zod'

/** Recent periods to filter by. */
export const spans = ['hour', 'day', 'week', 'month'] as const
export type Span = (typeof spans)[number]

/** Local time to the minute, as a `datetime-local` input gives it; empty for an open end. */
const localMinute = z.string().regex(/^(?:\d{4}-\d\d-\d\dT\d\d:\d\d)?$/)

/** A time filter: any time, a recent period, or a range that includes its last minute. */
const whenSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('any') }),
  z.strictObject({ kind: z.literal('last'), span: z.enum(spans) }),
  z.strictObject({ kind: z.literal('between'), from: localMinute, to: localMinute }),
])
export type When = z.infer<typeof whenSchema>

/** The log's query; a saved view is one of these as JSON. */
export const questionSchema = z.strictObject({
  text: z.string().max(500),
  outcomes: z.array(z.enum(outcomes)).readonly(),
  kinds: z.array(z.enum(callbackKinds)).readonly(),
  signatures: z.array(z.enum(signatureStates)).readonly(),
  materialId: z.string().nullable(),
  when: whenSchema,
  /** Includes callbacks without a known site: the only way to find those sent to a wrong address. */
  isOfAllSites: z.boolean(),
  sort: z.strictObject({ by: z.enum(['arrival', 'duration']), direction: z.enum(['up', 'down']) }),
})
export type Question = z.infer<typeof questionSchema>

/** The default query: one site, newest first. */
export const everything: Question = {
  text: '',
  outcomes: [],
  kinds: [],
  signatures: [],
  materialId: null,
  when: { kind: 'any' },
  isOfAllSites: false,
  sort: { by: 'arrival', direction: 'down' },
}

const hourMs = 3_600_000
const spanMs: Readonly<Record<Span, number>> = {
  hour: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
  month: 30 * 24 * hourMs,
}
const minuteMs = 60_000

/** The bounds of a time filter, start inclusive and end exclusive, relative to `nowMs`. */
function endsOf(when: When, nowMs: number): Pick<CallbackFilters, 'from' | 'to'> {
  const at = (ms: number): string => new Date(ms).toISOString()
  switch (when.kind) {
    case 'any':
      return { from: null, to: null }
    case 'last':
      return { from: at(nowMs - spanMs[when.span]), to: null }
    case 'between':
      return {
        from: when.from === '' ? null : at(Date.parse(when.from)),
        to: when.to === '' ? null : at(Date.parse(when.to) + minuteMs),
      }
  }
}

/** Converts a query to the filters of the IPC call. */
export function filtersOf(site: SiteId | null, question: Question, nowMs: number): CallbackFilters {
  const { text, outcomes, kinds, signatures, materialId, when, isOfAllSites } = question
  return {
    site: isOfAllSites ? null : site,
    outcomes: [...outcomes],
    kinds: [...kinds],
    signatures: [...signatures],
    materialId,
    ...endsOf(when, nowMs),
    text: text.trim(),
  }
}

/** Whether any filter besides the site is set. */
export const isNarrowed = ({ outcomes, kinds, signatures, materialId, when, text }: Question): boolean =>
  outcomes.length + kinds.length + signatures.length > 0 ||
  materialId !== null ||
  when.kind !== 'any' ||
  text.trim() !== ''

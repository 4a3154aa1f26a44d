import { z } from 'zod'

import type { CallbackFilters } from '../../../contract/ipc/callbacks.ts'
import { callbackKinds, outcomes, signatureStates } from '../../../contract/ipc/callbacks.ts'

/** How long ago a callback may have come. */
export const spans = ['hour', 'day', 'week', 'month'] as const
export type Span = (typeof spans)[number]

/** A minute of the clock of this machine, as an input of the page gives it; empty where that end is open. */
const localMinute = z.string().regex(/^(?:\d{4}-\d\d-\d\dT\d\d:\d\d)?$/)

/** When a callback came: any time, not long ago, or between two minutes, the last of which counts too. */
const whenSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('any') }),
  z.strictObject({ kind: z.literal('last'), span: z.enum(spans) }),
  z.strictObject({ kind: z.literal('between'), from: localMinute, to: localMinute }),
])
export type When = z.infer<typeof whenSchema>

/** What the log is asked for; a saved view is one of these as JSON. */
export const questionSchema = z.strictObject({
  text: z.string().max(500),
  outcomes: z.array(z.enum(outcomes)).readonly(),
  kinds: z.array(z.enum(callbackKinds)).readonly(),
  signatures: z.array(z.enum(signatureStates)).readonly(),
  materialId: z.string().nullable(),
  when: whenSchema,
  /** Also of sites that do not exist: what was sent to a wrong address is found only so. */
  isOfAllSites: z.boolean(),
  sort: z.strictObject({ by: z.enum(['arrival', 'duration']), direction: z.enum(['up', 'down']) }),
})
export type Question = z.infer<typeof questionSchema>

/** Everything of one site, the newest first. */
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

/** The two ends of a time, the first within it and the last not, counted back from `nowMs`. */
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

/** The question as main takes it. */
export function filtersOf(site: string | null, question: Question, nowMs: number): CallbackFilters {
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

/** Whether anything but the site narrows the list. */
export const isNarrowed = ({ outcomes, kinds, signatures, materialId, when, text }: Question): boolean =>
  outcomes.length + kinds.length + signatures.length > 0 ||
  materialId !== null ||
  when.kind !== 'any' ||
  text.trim() !== ''

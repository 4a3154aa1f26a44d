import type { MaterialQuery } from '@galley/library/records'
import { materialOrders, statusFilters } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { z } from 'zod'

/** How long ago a material was saved. */
export const spans = ['any', 'day', 'week', 'month', 'older'] as const
export type Span = (typeof spans)[number]

const sortSchema = z.strictObject({ column: z.enum(materialOrders), direction: z.enum(['asc', 'desc']) })
export type MaterialsSort = z.infer<typeof sortSchema>

/** The table's query; a saved view is one of these as JSON. */
export const questionSchema = z.strictObject({
  text: z.string().max(1000),
  statuses: z.array(z.enum(statusFilters)).readonly(),
  tags: z.array(z.string()).readonly(),
  editors: z.array(z.string()).readonly(),
  span: z.enum(spans),
  /** Only archived materials; missing in views saved before the archive existed. */
  archived: z.boolean().default(false),
  sort: sortSchema,
})
export type Question = z.infer<typeof questionSchema>

/** The default query: every material, last saved first. */
export const everything: Question = {
  text: '',
  statuses: [],
  tags: [],
  editors: [],
  span: 'any',
  archived: false,
  sort: { column: 'saved', direction: 'desc' },
}

/** The sort order of a new search. */
export const bestFirst: MaterialsSort = { column: 'relevance', direction: 'desc' }

const dayMs = 24 * 60 * 60 * 1000
const spanMs: Readonly<Record<Exclude<Span, 'any'>, number>> = {
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
  older: 30 * dayMs,
}

/** Converts a query to that of the IPC call; `span` is relative to `nowMs`. */
export function queryOf(site: SiteId, question: Question, nowMs: number): Omit<MaterialQuery, 'offset' | 'limit'> {
  const { text, statuses, tags, editors, span, archived, sort } = question
  const edge = span === 'any' ? null : new Date(nowMs - spanMs[span]).toISOString()
  return {
    site,
    text: text.trim(),
    filters: {
      statuses: [...statuses],
      tags: [...tags],
      editors: [...editors],
      savedAfter: span === 'older' ? null : edge,
      savedBefore: span === 'older' ? edge : null,
      archived,
    },
    sort: { by: sort.column, direction: sort.direction === 'asc' ? 'up' : 'down' },
  }
}

/** Whether any filter besides the search text is set. */
export const isFiltered = ({ statuses, tags, editors, span, archived }: Question): boolean =>
  statuses.length + tags.length + editors.length > 0 || span !== 'any' || archived

/** Adds or removes `value`. */
export const toggled = <Value>(list: readonly Value[], value: Value, isIn: boolean): readonly Value[] =>
  isIn ? [...list, value] : list.filter((other) => other !== value)

import { z } from 'zod'

import type { MaterialQuery } from '../../../contract/ipc/materials.ts'
import { materialOrders, materialStatuses } from '../../../contract/ipc/materials.ts'

/** How long ago a material may have been saved. */
export const spans = ['any', 'day', 'week', 'month', 'older'] as const
export type Span = (typeof spans)[number]

const sortSchema = z.strictObject({ column: z.enum(materialOrders), direction: z.enum(['asc', 'desc']) })
export type MaterialsSort = z.infer<typeof sortSchema>

/** What the table of materials is asked for; a saved view is one of these as JSON. */
export const questionSchema = z.strictObject({
  text: z.string().max(1000),
  statuses: z.array(z.enum(materialStatuses)).readonly(),
  tags: z.array(z.string()).readonly(),
  editors: z.array(z.string()).readonly(),
  span: z.enum(spans),
  /** The archived ones alone; absent in views from before there was an archive. */
  archived: z.boolean().default(false),
  sort: sortSchema,
})
export type Question = z.infer<typeof questionSchema>

/** Every material, the last saved first. */
export const everything: Question = {
  text: '',
  statuses: [],
  tags: [],
  editors: [],
  span: 'any',
  archived: false,
  sort: { column: 'saved', direction: 'desc' },
}

/** How a search begins. */
export const bestFirst: MaterialsSort = { column: 'relevance', direction: 'desc' }

const dayMs = 24 * 60 * 60 * 1000
const spanMs: Readonly<Record<Exclude<Span, 'any'>, number>> = {
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
  older: 30 * dayMs,
}

/** The question as main takes it, `span` counted back from `nowMs`. */
export function queryOf(site: string, question: Question, nowMs: number): Omit<MaterialQuery, 'offset' | 'limit'> {
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

/** Whether anything but the search text narrows the table. */
export const isFiltered = ({ statuses, tags, editors, span, archived }: Question): boolean =>
  statuses.length + tags.length + editors.length > 0 || span !== 'any' || archived

/** A list with `value` taken in or out. */
export const toggled = <Value>(list: readonly Value[], value: Value, isIn: boolean): readonly Value[] =>
  isIn ? [...list, value] : list.filter((other) => other !== value)

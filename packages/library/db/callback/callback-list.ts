import type { CallbackId, Outcome, SiteId } from '@galley/wire'
import { shownTitle } from '@galley/wire'

import type {
  CallbackCounts,
  CallbackFilters,
  CallbackPage,
  CallbackQuery,
  CallbackRow,
} from '../../views/callbacks.ts'
import type { Facet } from '../../views/materials.ts'
import type { ReadHandle } from '../database/read-handle.ts'

interface Row {
  id: CallbackId
  arrival: number
  site: SiteId
  received_at: string
  kind: CallbackRow['kind']
  material_id: string | null
  title: string | null
  outcome: Outcome
  http_status: number
  code: CallbackRow['code']
  signature: CallbackRow['signature']
  version_id: string | null
  duration_ms: number | null
}

type Bound = Record<string, string | number | null>

/** A query as SQL. Uses only the columns it needs, so that counts are answered by an index without reading rows. */
interface Asked {
  readonly where: string
  readonly bound: Bound
}

function askedBy(filters: CallbackFilters): Asked {
  const bound: Bound = {}
  // + prevents the use of the outcome index, which would require sorting every row.
  const clauses = ['+c.outcome IS NOT NULL']
  const narrow = (name: string, clause: string, value: string | null): void => {
    if (value === null) return
    bound[name] = value
    clauses.push(clause)
  }
  const narrowTo = (name: string, column: string, values: readonly string[]): void => {
    const list = values.length === 0 ? null : JSON.stringify(values)
    narrow(name, `${column} IN (SELECT value FROM json_each(@${name}))`, list)
  }
  narrow('site', 'c.site = @site', filters.site)
  narrow('materialId', 'c.material_id = @materialId', filters.materialId)
  narrowTo('outcomes', '+c.outcome', filters.outcomes)
  narrowTo('kinds', 'c.kind', filters.kinds)
  narrowTo('signatures', 'c.signature', filters.signatures)
  narrow('from', 'c.received_at >= @from', filters.from)
  narrow('to', 'c.received_at < @to', filters.to)
  narrow('text', `${callbackText} LIKE @text ESCAPE '\\'`, likePattern(filters.text))
  return { where: `WHERE ${clauses.join(' AND ')}`, bound }
}

/** SQL: what a callback `c` is searched for. */
export const callbackText =
  'concat_ws(char(10), c.id, c.material_id, c.version_id, c.content_url, c.code, c.rm, c.site)'

/** For LIKE with `\` as its escape; null for a text without words. */
export function likePattern(text: string): string | null {
  const words = text.trim()
  return words === '' ? null : `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

const orders = {
  'arrival down': 'c.arrival DESC',
  'arrival up': 'c.arrival ASC',
  'duration down': 'c.duration_ms DESC, c.arrival DESC',
  'duration up': 'c.duration_ms ASC, c.arrival DESC',
} as const
type Order = keyof typeof orders

const selected = `SELECT c.id, c.arrival, c.site, c.received_at, c.kind, c.material_id, c.outcome, c.http_status, c.code,
  c.signature, c.version_id, c.duration_ms,
  (SELECT title FROM material m WHERE m.site = c.site AND m.material_id = c.material_id) AS title`

/** The number of rows before and after the position of a list. */
interface Counted {
  readonly older: number
  readonly newer: number
}

/** The log of callbacks as the window shows it: filtered, in pages that do not shift when new callbacks arrive. */
export function createCallbackList(db: ReadHandle) {
  // Running callbacks have a separate index.
  const running = (arrived: string) =>
    `(SELECT count(*) FROM callback INDEXED BY callback_running WHERE outcome IS NULL AND site = @site AND ${arrived})`
  const countOfSite = db.prepare<Bound, Counted>(
    `SELECT count(*) FILTER (WHERE arrival <= @upTo) - ${running('arrival <= @upTo')} AS older,
       count(*) FILTER (WHERE arrival > @upTo) - ${running('arrival > @upTo')} AS newer
     FROM callback WHERE site = @site`,
  )
  const newest = db.prepare<[], { arrival: number | null }>('SELECT max(arrival) AS arrival FROM callback')
  const one = db.prepare<[string], Row>(`${selected} FROM callback c WHERE c.id = ? AND +c.outcome IS NOT NULL`)
  const these = db.prepare<[string], Row>(
    `${selected} FROM json_each(?) e JOIN callback c ON c.arrival = e.value ORDER BY e.key`,
  )
  function rowsBetween({ where, bound }: Asked, order: Order, upTo: number, offset: number, limit: number) {
    // The table itself is in order. Any other index would require sorting.
    const log = 'site' in bound ? 'callback c' : 'callback c NOT INDEXED'
    return db
      .prepare<Bound, Row>(
        `${selected} FROM ${log} ${where} AND c.arrival <= @upTo ORDER BY ${orders[order]} LIMIT @limit OFFSET @offset`,
      )
      .all({ ...bound, upTo, offset, limit })
  }

  function counted({ where, bound }: Asked, upTo: number): Counted {
    const isWholeSite = 'site' in bound && Object.keys(bound).length === 1
    const counting = isWholeSite
      ? countOfSite
      : db.prepare<Bound, Counted>(
          `SELECT count(*) FILTER (WHERE c.arrival <= @upTo) AS older, count(*) FILTER (WHERE c.arrival > @upTo) AS newer
           FROM callback c ${where}`,
        )
    return counting.get({ ...bound, upTo }) ?? { older: 0, newer: 0 }
  }

  /** A text search reads every row, so it runs once for the count and the page together. */
  function search({ where, bound }: Asked, order: Order, upTo: number) {
    const hits = db
      .prepare<Bound, number>(`SELECT c.arrival FROM callback c ${where} ORDER BY ${orders[order]}`)
      .pluck()
      .all(bound)
    const older = hits.filter((arrival) => arrival <= upTo)
    const page = (offset: number, limit: number) => these.all(JSON.stringify(older.slice(offset, offset + limit)))
    return { older: older.length, newer: hits.length - older.length, page }
  }

  const facets = ({ where, bound }: Asked, column: 'outcome' | 'kind') =>
    db
      .prepare<Bound, Facet>(
        `SELECT c.${column} AS value, count(*) AS count FROM callback c ${where} GROUP BY +c.${column} ORDER BY count DESC`,
      )
      .all(bound)

  return {
    query({ filters, sort, upTo, offset, limit }: CallbackQuery): CallbackPage {
      const asked = askedBy(filters)
      const order: Order = `${sort.by} ${sort.direction}`
      const last = upTo ?? newest.get()?.arrival ?? 0
      const found = 'text' in asked.bound ? search(asked, order, last) : null
      const { older, newer } = found ?? counted(asked, last)
      const rows = found?.page(offset, limit) ?? rowsBetween(asked, order, last, offset, limit)
      return { total: older, rows: rows.map(toRow), upTo: last, newer }
    },
    /** Matching rows from `upTo` backwards, newest first. For reading the whole log without counting or skipping. */
    back: (filters: CallbackFilters, upTo: number, limit: number): readonly CallbackRow[] =>
      rowsBetween(askedBy(filters), 'arrival down', upTo, 0, limit).map(toRow),
    /** Ignores the filters for outcome and event, which it counts. */
    counts(filters: CallbackFilters): CallbackCounts {
      const asked = askedBy({ ...filters, outcomes: [], kinds: [] })
      return { outcomes: facets(asked, 'outcome'), kinds: facets(asked, 'kind') }
    },
    find(id: string): CallbackRow | null {
      const row = one.get(id)
      return row ? toRow(row) : null
    },
  }
}

const toRow = (row: Row): CallbackRow => ({
  id: row.id,
  arrival: row.arrival,
  site: row.site,
  receivedAt: row.received_at,
  kind: row.kind,
  materialId: row.material_id,
  materialTitle: row.title && shownTitle(row.title),
  outcome: row.outcome,
  httpStatus: row.http_status,
  code: row.code,
  signature: row.signature,
  versionId: row.version_id,
  durationMs: row.duration_ms,
})

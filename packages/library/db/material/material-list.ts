import type { MaterialId, SiteId, Term, VersionId } from '@galley/wire'
import { shownTitle, termsOf } from '@galley/wire'

import type {
  MaterialFilters,
  MaterialPage,
  MaterialQuery,
  MaterialRow,
  MaterialSort,
  SearchHit,
} from '../../views/materials.ts'
import { failedMaterials, failedSaveSql, parseFailedSave } from '../callback/failed-saves.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import { stringList } from '../database/string-list.ts'
import { createWaitingOverlay } from '../team/waiting-overlay.ts'
import { excerptOf, hitPieces } from '../version/text-pieces.ts'
import { thumbnailOf, thumbnailSql } from '../version/thumbnail.ts'
import { createMaterialFacets } from './material-facets.ts'
import { toSession } from './materials.ts'
import type { SessionRow } from './materials.ts'

interface Row extends SessionRow {
  id: number
  site: SiteId
  material_id: MaterialId
  title: string
  slug: string
  status: MaterialRow['status']
  saved_at: string | null
  editor: string | null
  version_count: number
  total_bytes: number
  refused: string | null
  archived_at: string | null
  failed_save: string | null
  current_version_id: VersionId | null
  tags: string
  thumbnail: string | null
}

/** How many tags of a material a list shows. */
const tagsShown = 200

type Order = Exclude<MaterialSort['by'], 'relevance'>

/** Each column has an index that starts with the site. */
const columnOf: Readonly<Record<Order, string>> = {
  saved: 'm.saved_at',
  title: 'm.title_key',
  materialId: 'm.material_id',
  status: 'm.status',
  editor: 'm.editor',
  versions: 'm.version_count',
  size: 'm.total_bytes',
}

const filtered = `m.site = @site AND (m.archived_at IS NOT NULL) = @archived
  AND (@statuses IS NULL OR m.status IN (SELECT value FROM json_each(@statuses))
    OR (@saveFailed AND m.material_id IN (${failedMaterials})))
  AND (@editors IS NULL OR m.editor IN (SELECT value FROM json_each(@editors)))
  AND (@savedAfter IS NULL OR m.saved_at >= @savedAfter)
  AND (@savedBefore IS NULL OR m.saved_at < @savedBefore)
  AND (@tags IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(@tags) wanted
    WHERE NOT EXISTS (SELECT 1 FROM material_tag g WHERE g.material = m.id AND g.tag = wanted.value)))`
// CROSS JOIN keeps the text index outermost: with the statistics of a small library, the planner would scan all materials.
const found = `material_text t CROSS JOIN material m ON m.id = t.rowid WHERE material_text MATCH @words AND ${filtered}`

/** The ids of a page in order: from an index without a search, otherwise sorted. */
function pageSql(by: Order | 'relevance', direction: 'up' | 'down', isSearch: boolean): string {
  const way = direction === 'up' ? 'ASC' : 'DESC'
  const order =
    by === 'relevance' ? `t.rank ${way === 'DESC' ? 'ASC' : 'DESC'}, m.id` : `${columnOf[by]} ${way}, m.id ${way}`
  const from = isSearch ? found : `material m WHERE ${filtered}`
  return `SELECT m.id FROM ${from} ORDER BY ${order} LIMIT @limit OFFSET @offset`
}

/** The bound values of a query. `words` is null if the text contains no word. */
function bound({ site, text, filters }: Pick<MaterialQuery, 'site' | 'text' | 'filters'>) {
  const list = (values: readonly string[]): string | null => (values.length === 0 ? null : JSON.stringify(values))
  const moment = (iso: string | null): string | null => (iso === null ? null : new Date(iso).toISOString())
  const words = searchQuery(text)
  return {
    isSearch: text.trim() !== '',
    words,
    values: {
      site,
      statuses: list(filters.statuses),
      saveFailed: Number(filters.statuses.includes('save_failed')),
      editors: list(filters.editors),
      tags: list(filters.tags),
      savedAfter: moment(filters.savedAfter),
      savedBefore: moment(filters.savedBefore),
      archived: Number(filters.archived),
    } satisfies Record<keyof MaterialFilters | 'site' | 'saveFailed', string | number | null>,
  }
}

/**
 * Lists of materials as the table shows them: filtered, sorted, searched, by pages. Rows have the values that wait for the
 * bucket; filters, order and search use the values in the log.
 */
export function createMaterialList(db: ReadHandle) {
  const orders: readonly Order[] = ['saved', 'title', 'materialId', 'status', 'editor', 'versions', 'size']
  const pageStatements = new Map(
    (['up', 'down'] as const).flatMap((direction) =>
      [
        ...orders.map((by) => [by, false] as const),
        ...[...orders, 'relevance' as const].map((by) => [by, true] as const),
      ].map(([by, isSearch]) => [
        `${by} ${direction} ${isSearch}`,
        db.prepare<Record<string, string | number | null>, { id: number }>(pageSql(by, direction, isSearch)),
      ]),
    ),
  )
  const waiting = createWaitingOverlay(db)
  const count = db.prepare<Record<string, string | number | null>, { count: number }>(
    `SELECT count(*) AS count FROM material m WHERE ${filtered}`,
  )
  const countFound = db.prepare<Record<string, string | number | null>, { count: number }>(
    `SELECT count(*) AS count FROM ${found}`,
  )
  // Without the metadata, which may have megabytes.
  const selected = `SELECT m.id, m.site, m.material_id, m.title, m.slug, m.status, m.saved_at, m.editor, m.version_count,
      m.total_bytes, m.refused, m.archived_at, m.session_id, m.fingerprint, m.editor_url, m.last_access,
      v.version_id AS current_version_id,
      (SELECT json_group_array(tag) FROM (SELECT tag FROM material_tag WHERE material = m.id ORDER BY tag LIMIT ${tagsShown})) AS tags,
      ${thumbnailSql('m.current_version')} AS thumbnail, ${failedSaveSql} AS failed_save
    FROM material m LEFT JOIN version v ON v.id = m.current_version`
  const byId = db.prepare<[number], Row>(`${selected} WHERE m.id = ?`)
  const one = db.prepare<[string, string], Row>(`${selected} WHERE m.site = ? AND m.material_id = ?`)
  const ids = db.prepare<[number], { material_id: MaterialId }>('SELECT material_id FROM material WHERE id = ?')
  const pageText = db.prepare<[number], string>('SELECT text FROM page_text WHERE material = ?').pluck()

  /** The row ids of a page. */
  function page(query: MaterialQuery): readonly number[] {
    const { isSearch, words, values } = bound(query)
    const { by, direction } = query.sort
    const order = by === 'relevance' && !isSearch ? 'saved' : by
    const statement = pageStatements.get(`${order} ${direction} ${isSearch}`)
    if (!statement) throw new Error('An order has no statement')
    const { limit, offset } = query
    return statement.all({ ...values, ...(isSearch && { words }), limit, offset }).map(({ id }) => id)
  }

  const hitOf = ({ id, title, material_id }: Row, terms: readonly Term[]): SearchHit => ({
    title: hitPieces(shownTitle(title), terms),
    materialId: hitPieces(material_id, terms),
    excerpt: excerptOf(pageText.get(id) ?? '', terms),
  })

  return {
    ...createMaterialFacets(db),
    query(query: MaterialQuery): MaterialPage {
      const { isSearch, words, values } = bound(query)
      // A text without a word finds nothing.
      if (isSearch && words === null) return { total: 0, rows: [] }
      const pageIds = page(query)
      const terms = termsOf(query.text)
      const rows = pageIds.flatMap((id) => {
        const row = byId.get(id)
        return row ? [toRow(row, isSearch ? hitOf(row, terms) : null)] : []
      })
      const counted = words === null ? count.get(values) : countFound.get({ ...values, words })
      return { total: counted?.count ?? 0, rows: waiting.materials(rows) }
    },
    /** All ids of a query, in order. */
    ids(query: Omit<MaterialQuery, 'offset' | 'limit'>): readonly string[] {
      if (query.text.trim() !== '' && searchQuery(query.text) === null) return []
      return page({ ...query, offset: 0, limit: 20_000 }).flatMap((id) => ids.get(id)?.material_id ?? [])
    },
    find(site: SiteId, materialId: MaterialId): MaterialRow | null {
      const row = one.get(site, materialId)
      return row ? (waiting.materials([toRow(row, null)])[0] ?? null) : null
    },
  }
}

const toRow = (row: Row, hit: SearchHit | null): MaterialRow => ({
  site: row.site,
  materialId: row.material_id,
  title: shownTitle(row.title),
  slug: row.slug,
  status: row.status,
  savedAt: row.saved_at,
  savedBy: row.editor,
  versions: row.version_count,
  currentVersionId: row.current_version_id,
  totalBytes: row.total_bytes,
  tags: stringList(row.tags),
  session: toSession(row),
  thumbnail: thumbnailOf(row.thumbnail),
  isRefused: row.refused !== null,
  archivedAt: row.archived_at,
  failedSave: parseFailedSave(row.failed_save),
  hit,
})

/**
 * Converts typed text to an FTS5 query: every word is quoted, which removes all operators, and matches as a prefix, so that
 * results appear while typing. null if there is no word.
 */
function searchQuery(text: string): string | null {
  const terms = termsOf(text)
  return terms.length === 0 ? null : terms.map(({ tokens }) => `"${tokens.join(' ')}"*`).join(' ')
}

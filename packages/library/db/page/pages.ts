import type { MaterialId, Result, SiteId, VersionId } from '@galley/wire'
import { ok, shownTitle } from '@galley/wire'

import type { ChangeOf } from '../../records/changes.ts'
import type { VerdictKind } from '../../records/outgoing.ts'
import type { OnlinePage } from '../../records/release.ts'
import type { PageSettings } from '../../records/site-model-fields.ts'
import { versionMoment } from '../../records/version.ts'
import type { PageFilter, PageQuery, PageSort, SitePageList, SitePageRow, SortedPages } from '../../views/pages.ts'
import type { Commit } from '../commit/commit.ts'
import { fieldValues, selectedFields } from '../database/field-columns.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import { sortKey } from '../database/sort-key.ts'
import type { FieldChanges } from '../field/fields.ts'
import { outgoingSql } from '../site/publishing.ts'
import type { Addresses, AddressTaken } from './addresses.ts'
import { createOnlinePages } from './online-pages.ts'

/** With the columns of `page`, null where a material has no row there. */
interface Row {
  materialId: MaterialId
  title: string
  slug: string
  archivedAt: string | null
  outgoing: VersionId | null
  outgoingNumber: number | null
  outgoingVerdict: VerdictKind
  current: VersionId | null
  currentNumber: number | null
  currentVerdict: VerdictKind
  versionCdate: string | null
  receivedAt: string | null
}

// Redirects from the address of a published page no longer apply. Their rows stay until one of the two pages is moved.
const settingColumns = `${selectedFields('page', 'p')},
  (SELECT json_group_array(r.path ORDER BY r.place) FROM page_redirect r WHERE r.material = m.id AND NOT EXISTS (
     SELECT 1 FROM page o WHERE o.site = r.site AND o.path = r.path AND o.published IS NOT NULL)) AS redirects_from`
const viewed = `SELECT m.material_id AS materialId, m.title, m.slug, m.archived_at AS archivedAt, ${settingColumns},
    w.version_id AS outgoing, w.number AS outgoingNumber, w.decision AS outgoingVerdict, v.version_id AS current,
    v.number AS currentNumber, v.decision AS currentVerdict, coalesce(w.version_cdate, v.version_cdate) AS versionCdate,
    coalesce(w.received_at, v.received_at) AS receivedAt
  FROM material m LEFT JOIN page p ON p.material = m.id LEFT JOIN version v ON v.id = m.current_version
    LEFT JOIN version w ON w.id = ${outgoingSql('m.id')}`
const wanted = `m.site = @site AND m.version_count > 0 AND m.archived_at IS NULL
  AND (@state IS NULL OR coalesce(p.state, 'published') = @state) AND (@type IS NULL OR coalesce(p.type, 'post') = @type)
  AND (@text = '' OR instr(m.title_key, @text) > 0 OR instr(lower(m.material_id), @text) > 0 OR instr(p.path, @text) > 0)`

/** The values by which pages are sorted; equal ones are sorted by title. */
const ranks: Readonly<Record<Exclude<PageSort['by'], 'saved'>, string>> = {
  title: 'm.title_key',
  state: `CASE coalesce(p.state, 'published') WHEN 'draft' THEN 0 WHEN 'published' THEN 1 ELSE 2 END`,
  published: 'p.published',
  updated: `coalesce((SELECT w.cdate_ms FROM version w WHERE w.id = ${outgoingSql('m.id')}),
    (SELECT v.cdate_ms FROM version v WHERE v.id = m.current_version))`,
  address: 'p.path',
}

/** The statements for each order, prepared when it is first asked for. */
function createPageOrders(db: ReadHandle) {
  const prepared = new Map<string, ReturnType<typeof prepare>>()
  const prepare = ({ by, direction }: PageSort) => {
    const way = direction === 'up' ? 'ASC' : 'DESC'
    // The usual order comes from its index, so that a first screen of many pages sorts nothing.
    const [index, order] =
      by === 'saved'
        ? ['INDEXED BY material_by_saved', `m.saved_at ${way}, m.id ${way}`]
        : ['', `${ranks[by]} ${way} NULLS LAST, m.title_key, m.id`]
    const from = `FROM material m ${index} LEFT JOIN page p ON p.material = m.id WHERE ${wanted} ORDER BY ${order}`
    return {
      page: db.prepare<Omit<PageQuery, 'sort'>, number>(`SELECT m.id ${from} LIMIT @limit OFFSET @offset`).pluck(),
      all: db.prepare<PageFilter, string>(`SELECT m.material_id ${from}`).pluck(),
    }
  }
  return (sort: PageSort) => {
    const key = `${sort.by} ${sort.direction}`
    const statements = prepared.get(key) ?? prepare(sort)
    prepared.set(key, statements)
    return statements
  }
}

/** The search text in the form in which titles are stored for searching. */
const bound = <Query extends PageFilter>(query: Query): Query => ({ ...query, text: sortKey(query.text) })

/** Pages with equal settings. */
export interface PageGroup {
  readonly materialIds: readonly MaterialId[]
  readonly settings: Partial<Omit<PageSettings, 'path'>>
}

/** Publishing settings and addresses of materials. */
export function createPages(db: ReadHandle, commit: Commit, addresses: Addresses, changesOf: FieldChanges) {
  const byId = db.prepare<[number], Row>(`${viewed} WHERE m.id = ?`)
  const one = db.prepare<[string, string], Row>(`${viewed} WHERE m.site = ? AND m.material_id = ?`)
  const bySite = db.prepare<[string], Pick<Row, 'materialId'>>(
    `SELECT m.material_id AS materialId, ${settingColumns} FROM material m JOIN page p ON p.material = m.id
     WHERE m.site = ?`,
  )
  const orders = createPageOrders(db)
  const onlinePages = createOnlinePages(db)
  const tags = db
    .prepare<[string], string>(
      'SELECT DISTINCT g.value FROM page p JOIN json_each(p.tags) g WHERE p.site = ? ORDER BY g.value COLLATE NOCASE',
    )
    .pluck()
  const count = db
    .prepare<PageFilter, number>(
      `SELECT count(*) FROM material m LEFT JOIN page p ON p.material = m.id WHERE ${wanted}`,
    )
    .pluck()

  const changesIn = (site: SiteId, { materialIds, settings }: PageGroup) =>
    changesOf(
      'page',
      site,
      materialIds.map((materialId) => ({ materialId })),
      settings,
    )

  /** Null if there is no such material. */
  function find(site: SiteId, materialId: MaterialId): SitePageRow | null {
    const row = one.get(site, materialId)
    return row ? toView(row, onlinePages.of(site, materialId)) : null
  }

  return {
    find,
    /** Only materials that have settings or were published. */
    settings: (site: SiteId): ReadonlyMap<MaterialId, PageSettings> =>
      new Map(bySite.all(site).map((row) => [row.materialId, fieldValues('page', row)])),
    /** Saved materials that are not archived. */
    list: ({ sort, ...query }: PageQuery): SitePageList => ({
      total: count.get(bound(query)) ?? 0,
      rows: orders(sort)
        .page.all(bound(query))
        .flatMap((id) => byId.get(id) ?? [])
        .map((row) => toView(row, onlinePages.of(query.site, row.materialId))),
    }),
    ids: ({ sort, ...filter }: SortedPages): readonly string[] => orders(sort).all.all(bound(filter)),
    tags: (site: SiteId): readonly string[] => tags.all(site),
    /** Absent members stay unchanged. Use `move` to change an address. */
    change: (site: SiteId, materialIds: readonly MaterialId[], settings: PageGroup['settings']): void =>
      commit.now(() => changesIn(site, { materialIds, settings })),
    /** Changes groups of pages, all of them or none. */
    changeGroups: (site: SiteId, groups: readonly PageGroup[]): void =>
      commit.now(() => groups.flatMap((group) => changesIn(site, group))),
    /** Moves a page to an address that a person chose. The old address becomes a redirect. */
    move(site: SiteId, materialId: MaterialId, path: string): Result<null, AddressTaken | 'unknown_material'> {
      let moved: ReturnType<Addresses['move']> = ok([])
      commit.now(() => {
        moved = addresses.move(site, materialId, path)
        return moved.ok ? moved.value : []
      })
      return moved.ok ? ok(null) : moved
    },
    /** Sets the address of every saved material, and the folder of every tag, that has none. */
    decide(site: SiteId): void {
      if (!addresses.isDecided(site)) commit.now(() => addresses.decision(site))
    },
    isDecided: addresses.isDecided,
    addressesOf: addresses.ofSite,
    tagFolders: addresses.tagFolders,
    pageAt: addresses.pageAt,
    holder: addresses.holder,
    /** Records the first publication of pages. Existing moments stay. */
    publish(site: SiteId, pages: ChangeOf<'pages_published'>['pages']): void {
      if (pages.length > 0) commit.now(() => [{ kind: 'pages_published', site, pages: [...pages] }])
    },
  }
}

function toView(row: Row, online: readonly OnlinePage[]): SitePageRow {
  const { materialId, title, slug, archivedAt, versionCdate, receivedAt } = row
  return {
    materialId,
    title: shownTitle(title),
    slug,
    archivedAt,
    outgoingVersionId: row.outgoing,
    outgoingNumber: row.outgoingNumber,
    outgoingVerdict: row.outgoingVerdict,
    currentVersionId: row.current,
    currentNumber: row.currentNumber,
    currentVerdict: row.currentVerdict,
    online,
    updated: receivedAt === null ? null : versionMoment({ versionCdate, receivedAt }),
    settings: fieldValues('page', row),
  }
}

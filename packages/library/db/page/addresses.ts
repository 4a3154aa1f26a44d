import type { MaterialId, Result, SiteId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { Address, Addressed, MovingAddress } from '../../records/addresses.ts'
import { addressesOf, movedAddresses } from '../../records/addresses.ts'
import type { ChangeOf, FieldsSet } from '../../records/changes.ts'
import { tagFoldersOf } from '../../records/tag-folders.ts'
import { redirectsOf } from '../database/field-columns.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import { stringList } from '../database/string-list.ts'

/** Another page has the address, or redirects from it. */
export interface AddressTaken {
  readonly path: string
  readonly materialId: MaterialId
  readonly title: string
}

interface Row {
  materialId: MaterialId
  title: string
  slug: string
  path: string | null
  redirects: string | null
  feedPath: string | null
  published: string | null
}

type FoundAddress = Addressed & MovingAddress

/** What an address is made from: the beginning of a long slug. The id means that there is none. */
export const addressedSlug = 'CASE m.slug WHEN m.material_id THEN m.slug ELSE substr(m.slug, 1, 500) END AS slug'

/** Reads where the list of each tag of a site is. */
function createTagFolders(db: ReadHandle) {
  const used = db
    .prepare<[string], string>(
      'SELECT DISTINCT g.value FROM page p JOIN json_each(p.tags) g WHERE p.site = ? ORDER BY 1',
    )
    .pluck()
  const rows = db.prepare<[string], { tag: string; folder: string }>(
    'SELECT tag, folder FROM tag_folder WHERE site = ?',
  )
  const decided = (site: SiteId) => new Map(rows.all(site).map(({ tag, folder }) => [tag, folder]))

  /** The current or, if undecided, the future folder of every tag. */
  const ofSite = (site: SiteId): ReadonlyMap<string, string> => tagFoldersOf(used.all(site), decided(site))

  return {
    ofSite,
    undecided(site: SiteId) {
      const known = decided(site)
      return [...ofSite(site)].flatMap(([tag, folder]) => (known.has(tag) ? [] : [{ tag, folder }]))
    },
  }
}

/** Reads the addresses of pages, and works out which changes of the log move one. */
export function createAddresses(db: ReadHandle) {
  const selected = `SELECT m.material_id AS materialId, m.title, ${addressedSlug}, p.path, p.feed_path AS feedPath, p.published,
      ${redirectsOf('m.id')} AS redirects
    FROM material m LEFT JOIN page p ON p.material = m.id`
  const all = db.prepare<[string], Row>(`${selected} WHERE m.site = ? AND m.version_count > 0 ORDER BY m.id`)
  const one = db.prepare<[string, string], Row>(`${selected} WHERE m.site = ? AND m.material_id = ?`)
  const atPath = db.prepare<[string, string], Row>(
    `${selected} WHERE m.id = (SELECT material FROM page WHERE site = ? AND path = ?)`,
  )
  const fromPath = db.prepare<[string, string], Row>(
    `${selected} WHERE m.id = (SELECT material FROM page_redirect WHERE site = ? AND path = ?)`,
  )
  const undecided = db.prepare<[string], { yes: number }>(
    `SELECT 1 AS yes FROM material m LEFT JOIN page p ON p.material = m.id
     WHERE m.site = ? AND m.version_count > 0 AND p.path IS NULL LIMIT 1`,
  )
  const tagFolders = createTagFolders(db)
  const feedsOfOthers = createFeedAddresses(db)
  const found = (row: Row | undefined): FoundAddress | null => (row ? toAddressed(row) : null)
  const redirecting = (site: SiteId, path: string | null) => (path === null ? null : found(fromPath.get(site, path)))

  /** The current or, if undecided, the future address of every saved material. */
  function ofSite(site: SiteId): ReadonlyMap<MaterialId, string> {
    const materials = all.all(site).map(toAddressed)
    const paths = addressesOf(materials)
    return new Map(materials.map(({ materialId }, at) => [materialId, paths[at] ?? '']))
  }

  return {
    tagFolders: tagFolders.ofSite,
    /** In order of arrival. */
    ofSite,
    isDecided: (site: SiteId): boolean => undecided.get(site) === undefined && tagFolders.undecided(site).length === 0,
    decision(site: SiteId): readonly ChangeOf<'addresses_decided'>[] {
      const open = new Set(all.all(site).flatMap(({ materialId, path }) => (path === null ? [materialId] : [])))
      const addresses = [...ofSite(site)].flatMap(([materialId, path]) =>
        open.has(materialId) ? [{ materialId, path }] : [],
      )
      const tags = tagFolders.undecided(site)
      return addresses.length + tags.length === 0 ? [] : [{ kind: 'addresses_decided', site, addresses, tags }]
    },
    /** Whether no page has or redirects from an address, and none but this one is known by it in feeds. */
    isFree: (site: SiteId, path: string, except: string): boolean =>
      fromPath.get(site, path) === undefined && !feedsOfOthers(site, except).has(path),
    of: (site: SiteId, materialId: MaterialId): Address | null => found(one.get(site, materialId)),
    /** The changes that move a page. */
    move(
      site: SiteId,
      materialId: MaterialId,
      to: string,
    ): Result<readonly FieldsSet<'page'>[], AddressTaken | 'unknown_material'> {
      const own = found(one.get(site, materialId))
      if (own === null) return fail('unknown_material')
      const page = found(atPath.get(site, to))
      const [inFeeds, covered] = [feedsOfOthers(site, materialId), redirecting(site, own.path)]
      const moved = movedAddresses(own, to, { page, redirecting: redirecting(site, to), covered, inFeeds })
      return moved.ok ? ok(moved.value.map((address) => changed(site, address))) : fail(taken(to, page ?? own))
    },
    /** The other page at an address. */
    pageAt(site: SiteId, path: string, except: string): AddressTaken | null {
      const page = found(atPath.get(site, path))
      return page === null || page.materialId === except ? null : taken(path, page)
    },
    /** The page that has an address or redirects from it, except this material. */
    holder(site: SiteId, path: string, except: string): AddressTaken | null {
      const holder = [atPath, fromPath]
        .map((statement) => found(statement.get(site, path)))
        .find((each) => each !== null && each.materialId !== except)
      return holder ? taken(path, holder) : null
    },
  }
}

/** The addresses that other pages of a site have, or are known by in feeds. */
function createFeedAddresses(db: ReadHandle) {
  const held = db.prepare<[{ site: SiteId; path: string; except: string }], { yes: number }>(
    `SELECT 1 AS yes FROM page p JOIN material m ON m.id = p.material
     WHERE p.site = @site AND (p.feed_path = @path OR p.path = @path) AND m.material_id <> @except LIMIT 1`,
  )
  return (site: SiteId, except: string) => ({
    has: (path: string): boolean => held.get({ site, path, except }) !== undefined,
  })
}

const toAddressed = ({ redirects, published, ...row }: Row): FoundAddress => ({
  ...row,
  isPublished: published !== null,
  redirectsFrom: redirects === null ? [] : stringList(redirects),
})

const changed = (site: SiteId, { materialId, path, redirectsFrom, feedPath }: Address): FieldsSet<'page'> => ({
  kind: 'fields_set',
  record: 'page',
  site,
  of: [{ materialId }],
  set: { path, redirectsFrom, feedPath },
})

const taken = (path: string, { materialId, title }: Addressed): AddressTaken => ({ path, materialId, title })

export type Addresses = ReturnType<typeof createAddresses>

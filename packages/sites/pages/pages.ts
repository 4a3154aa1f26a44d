import type { AddressTaken, IndexReads, IndexWith } from '@galley/library'
import type {
  AddressProblem,
  MediaFile,
  PageChanges,
  PageSettings,
  PagesBefore,
  SitePageView,
} from '@galley/library/records'
import { isRasterImage, isWebAddress, readAddress, tagMaxChars, tagsAtMost } from '@galley/library/records'
import type { MaterialId, Result, SiteId, VersionId } from '@galley/wire'
import { fail, keysIn, ok } from '@galley/wire'

/** Why a change was refused. Nothing was changed. */
export type PageFailure =
  | { readonly code: 'unknown_material'; readonly materialId: MaterialId }
  | { readonly code: 'unknown_version'; readonly versionId: VersionId }
  /** Neither a picture of the page nor a URL; `pictures` are the names that the page has. */
  | {
      readonly code: 'invalid_social_image'
      readonly field: 'socialImage'
      readonly image: string
      readonly pictures: readonly string[]
    }
  | ({ readonly code: 'address_taken'; readonly field: 'slug' } & AddressTaken)
  /** `several`: materials cannot share an address. `own`: a page cannot redirect to itself. */
  | {
      readonly code: 'invalid_address'
      readonly field: 'slug'
      readonly address: string
      readonly state: AddressProblem | 'several' | 'own'
    }

/** The publishing settings of a material, with its current or future address; null: unknown material. */
export function pageOf({ pages }: IndexReads, site: SiteId, materialId: MaterialId): SitePageView | null {
  const page = pages.find(site, materialId)
  if (page === null) return null
  const address = page.settings.path ?? pages.addressesOf(site).get(page.materialId) ?? null
  return { ...page, address }
}

/** Applies the same settings to several materials; absent fields do not change. Returns the previous settings. */
export function changePages(
  index: IndexWith<'materials' | 'pages'>,
  site: SiteId,
  materialIds: readonly MaterialId[],
  { slug, ...settings }: PageChanges,
): Result<PagesBefore, PageFailure> {
  const path = slug === undefined ? ok(null) : readAddress(slug)
  if (!path.ok) return fail({ code: 'invalid_address', field: 'slug', address: slug ?? '', state: path.failure })
  const problem = problemOf(index, site, materialIds, { path: path.value, settings })
  if (problem !== null) return fail(problem)
  const [first] = materialIds
  const material = first === undefined ? null : index.materials.find(site, first)
  const redirectsNow = (): readonly string[] => index.pages.find(site, first ?? '')?.settings.redirectsFrom ?? []
  const redirectsBefore = redirectsNow()
  if (material !== null && slug !== undefined && path.value !== null) {
    const moved = index.pages.move(site, material.materialId, path.value)
    // Another process took the address after the check above.
    if (!moved.ok) {
      return fail(
        moved.failure === 'unknown_material'
          ? { code: 'unknown_material', materialId: material.materialId }
          : { code: 'address_taken', field: 'slug', ...moved.failure },
      )
    }
    index.materials.rename(site, material.materialId, material.title, slug.trim().replace(/^\/+|\/+$/g, ''))
  }
  // The caller made its list of redirects before the move, which left another address.
  const left = redirectsNow().filter((from) => !redirectsBefore.includes(from))
  const redirectsFrom = settings.redirectsFrom && [...new Set([...left, ...settings.redirectsFrom])]
  const before = pagesBefore(index, site, materialIds, keysIn(settings))
  index.pages.change(site, materialIds, {
    ...settings,
    ...(redirectsFrom && { redirectsFrom }),
  })
  return ok(before)
}

/** The current values of these settings, in groups of pages with equal values. */
function pagesBefore(
  { pages }: IndexReads,
  site: SiteId,
  materialIds: readonly MaterialId[],
  keys: readonly (keyof PagesBefore[number]['settings'])[],
): PagesBefore {
  const groups = new Map<string, { materialIds: MaterialId[]; settings: PagesBefore[number]['settings'] }>()
  for (const materialId of materialIds) {
    const now = pages.find(site, materialId)?.settings
    if (now === undefined || keys.length === 0) continue
    const settings = Object.fromEntries(keys.map((key) => [key, now[key]]))
    const name = JSON.stringify(settings)
    const group = groups.get(name) ?? { materialIds: [] as string[], settings }
    group.materialIds.push(materialId)
    groups.set(name, group)
  }
  return [...groups.values()]
}

/** Undoes a change of several pages. */
export function restorePages(index: IndexWith<'pages'>, site: SiteId, before: PagesBefore): Result<null, PageFailure> {
  for (const { materialIds, settings } of before) {
    const problem = problemOf(index, site, materialIds, { path: null, settings })
    if (problem !== null) return fail(problem)
  }
  const groups = before.filter(({ settings }) => Object.keys(settings).length > 0)
  index.pages.changeGroups(site, groups)
  return ok(null)
}

/** Why tags were refused. Nothing was changed. */
export type TagFailure =
  | Extract<PageFailure, { readonly code: 'unknown_material' }>
  | { readonly code: 'invalid_tag'; readonly tag: string }
  | { readonly code: 'invalid_tag'; readonly state: 'too_many'; readonly most: number }

/** Adds and removes tags of several pages. Their other tags stay, in order. Returns the previous tags of changed pages. */
export function tagPages(
  index: IndexWith<'pages'>,
  site: SiteId,
  materialIds: readonly MaterialId[],
  changes: { readonly add: readonly string[]; readonly remove: readonly string[] },
): Result<PagesBefore, TagFailure> {
  const { pages } = index
  const add = changes.add.map((tag) => tag.normalize('NFC').trim())
  const bad = add.find((tag) => tag === '' || tag.length > tagMaxChars || /[\p{Cc}\p{Cf}]/u.test(tag))
  if (bad !== undefined) return fail({ code: 'invalid_tag', tag: bad })
  const remove = new Set(changes.remove)
  const byTags = new Map<string, { readonly materialIds: MaterialId[]; readonly tags: readonly string[] }>()
  for (const materialId of materialIds) {
    const page = pages.find(site, materialId)
    if (page === null) return fail({ code: 'unknown_material', materialId })
    const before = page.settings.tags
    const tags = [...new Set([...before.filter((tag) => !remove.has(tag)), ...add])]
    if (tags.length > tagsAtMost) return fail({ code: 'invalid_tag', state: 'too_many', most: tagsAtMost })
    if (tags.join('\n') === before.join('\n')) continue
    const key = JSON.stringify(tags)
    const group = byTags.get(key) ?? { materialIds: [], tags }
    group.materialIds.push(page.materialId)
    byTags.set(key, group)
  }
  const groups = [...byTags.values()]
  const before = pagesBefore(
    index,
    site,
    groups.flatMap((group) => group.materialIds),
    ['tags'],
  )
  pages.changeGroups(
    site,
    groups.map(({ tags, ...group }) => ({ ...group, settings: { tags } })),
  )
  return ok(before)
}

/** The pictures that can be the social image: those of the version that is published, otherwise of the current one. */
export function picturesOf(
  { pages, versions }: IndexReads,
  site: SiteId,
  materialId: MaterialId,
): readonly MediaFile[] {
  const page = pages.find(site, materialId)
  const versionId = page?.outgoingVersionId ?? page?.currentVersionId ?? null
  if (versionId === null) return []
  const media = [...versions.media(site, materialId, versionId), ...versions.referred(site, materialId, versionId)]
  return media.filter(({ name }) => isRasterImage(name))
}

function problemOf(
  index: IndexReads,
  site: SiteId,
  materialIds: readonly MaterialId[],
  { path, settings }: { readonly path: string | null; readonly settings: Partial<PageSettings> },
): PageFailure | null {
  const { materials, pages, versions } = index
  const { redirectsFrom = [], version = 'latest', socialImage: image = null } = settings
  const address = path ?? redirectsFrom[0]
  if (address !== undefined && materialIds.length > 1)
    return { code: 'invalid_address', field: 'slug', address, state: 'several' }
  for (const materialId of materialIds) {
    if (materials.find(site, materialId) === null) return { code: 'unknown_material', materialId }
    if (version !== 'latest' && version !== 'approved' && !versions.find(site, materialId, version))
      return { code: 'unknown_version', versionId: version }
    if (image !== null && !isWebAddress(image)) {
      const pictures = [...new Set(picturesOf(index, site, materialId).map(({ name }) => name))]
      if (!pictures.includes(image)) return { code: 'invalid_social_image', field: 'socialImage', image, pictures }
    }
    const now = pages.find(site, materialId)?.settings
    const here = path ?? now?.path
    const own = redirectsFrom.find((from) => from === here)
    if (own !== undefined) return { code: 'invalid_address', field: 'slug', address: own, state: 'own' }
    const holders = [
      path === null ? null : pages.pageAt(site, path, materialId),
      // A redirect that the page already has may be the address of an unpublished page.
      ...redirectsFrom
        .filter((from) => now?.redirectsFrom.includes(from) !== true)
        .map((from) => pages.holder(site, from, materialId)),
    ]
    const holder = holders.find((each) => each !== null)
    if (holder) return { code: 'address_taken', field: 'slug', ...holder }
  }
  return null
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Address, Addressed, MovingAddress } from '../../../packages/library/records/addresses.ts'
import { addressesOf, movedAddresses, readAddress } from '../../../packages/library/records/addresses.ts'
import { isPagePath } from '../../../packages/library/records/page-path.ts'
import { isBundlePath, pageFile } from '../../../packages/library/records/paths.ts'

type Page = Addressed & MovingAddress

const material = (materialId: string, fields: Partial<Page> = {}): Page => ({
  materialId,
  title: `Title ${materialId}`,
  slug: materialId,
  path: null,
  redirectsFrom: [],
  feedPath: null,
  isPublished: false,
  ...fields,
})

describe('the first address of a page', () => {
  it.each([
    [{ slug: 'blog/2026/05/A Walk' }, 'blog/2026/05/a-walk'],
    [{ slug: '/Über//uns/' }, 'uber/uns'],
    [{ slug: '../../etc/passwd' }, 'etc/passwd'],
    [{ slug: 'media/x' }, 'media-page/x'],
    [{ slug: 'a/CON/x' }, 'a/con-page/x'],
    [{ slug: 'tags' }, 'tags-page'],
    [{ slug: 'posts/first' }, 'posts-page/first'],
    [{ slug: '1/2/3/4/5/6/7/8' }, '1/2/3/4/5/6-7-8'],
    // Without a slug, the title reads better than the id.
    [{ title: 'A walk by the sea' }, 'a-walk-by-the-sea'],
    [{ title: '日本' }, '日本'],
    [{ title: '—' }, 'm-1'],
    [{ slug: '…', title: 'Nippon' }, 'nippon'],
    [{ slug: 'блог/海' }, 'blog/海'],
  ])('of %j is %s', (fields, path) => {
    expect(addressesOf([material('m-1', fields)])).toEqual([path])
  })

  it('belongs to the first material, and is never that of another page, past or present', () => {
    expect(
      addressesOf([
        material('a', { slug: 'summer' }),
        material('b', { slug: 'summer' }),
        material('c', { slug: 'winter' }),
        material('d', { path: 'winter', redirectsFrom: ['autumn'] }),
        material('e', { slug: 'autumn' }),
      ]),
    ).toEqual(['summer', 'summer-b', 'winter-c', 'winter', 'autumn-e'])
  })
})

describe('an address that a person writes', () => {
  it.each([
    ['/Blog/2026/05/Ein Weg/', 'blog/2026/05/ein-weg'],
    ['über uns', 'uber-uns'],
    ['/日本/東京 2026/', '日本/東京-2026'],
    // Copied from a browser.
    ['%D9%85%D8%B1%D8%AD%D8%A8%D8%A7/100%', 'مرحبا/100'],
  ])('%j is %s', (given, path) => {
    expect(readAddress(given)).toEqual({ ok: true, value: path })
  })

  it.each([
    ['', 'empty'],
    ['/', 'empty'],
    ['a//b', 'empty'],
    ['../x', 'empty'],
    ['日本/…', 'empty'],
    ['海'.repeat(67), 'too_long'],
    ['1/2/3/4/5/6/7', 'too_deep'],
    ['x'.repeat(151), 'too_long'],
    ['media', 'reserved'],
    ['Fonts/x', 'reserved'],
    ['a/nul', 'reserved'],
    ['com1', 'reserved'],
    ['posts', 'reserved'],
  ])('%j is none: %s', (given, problem) => {
    expect(readAddress(given)).toEqual({ ok: false, failure: problem })
  })
})

// A site whose pages come, are renamed, moved, published in part and rejected, held against the plainest memory of what
// readers were told: once an address was published, it leads to the page that was there, until one is published there that
// a person gave it to.

const ids = ['a', 'A', 'b', 'post 1', 'Post-1', '日本', 'con', '']
const slugs = [
  'summer',
  'SUMMER',
  'blog/summer',
  'Blog/Summer',
  'media',
  'x/nul',
  '',
  'ſummer',
  'summer-b',
  'posts',
  'a',
]

type Step =
  | { readonly kind: 'add'; readonly id: string; readonly slug: string | null }
  | { readonly kind: 'slug'; readonly at: number; readonly slug: string }
  | { readonly kind: 'move'; readonly at: number; readonly slug: string }
  | { readonly kind: 'delete'; readonly at: number }
  | { readonly kind: 'publish'; readonly some: readonly number[] }

const at = fc.nat(4)
/** Few, so that pages meet; the others are odd. */
const slug = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('summer', 'blog/summer', 'a') },
  fc.constantFrom(...slugs),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    id: fc.constantFrom(...ids),
    slug: fc.option(slug),
  }),
  fc.record({ kind: fc.constant('slug' as const), at, slug }),
  fc.record({ kind: fc.constant('move' as const), at, slug }),
  fc.record({ kind: fc.constant('delete' as const), at }),
  fc.record({ kind: fc.constant('publish' as const), some: fc.array(at, { maxLength: 3 }) }),
)

function play(steps: readonly Step[]) {
  let site: readonly Page[] = []
  /** Who a reader finds at an address, as far as readers know. */
  const promised = new Map<string, string>()
  /** What feed readers know each page by. */
  const known = new Map<string, string>()
  const replace = (changed: readonly Address[]) => {
    site = site.map((page) => ({ ...page, ...changed.find(({ materialId }) => materialId === page.materialId) }))
  }
  const redirectingFrom = (path: string) => site.find(({ redirectsFrom }) => redirectsFrom.includes(path)) ?? null
  for (const each of steps) {
    const page = 'at' in each ? site[each.at] : undefined
    if (each.kind === 'add' && !site.some(({ materialId }) => materialId === each.id))
      site = [...site, material(each.id, each.slug === null ? {} : { slug: each.slug })]
    if (each.kind === 'slug' && page)
      site = site.map((other) => (other === page ? { ...page, slug: each.slug } : other))
    if (each.kind === 'delete' && page) {
      site = site.filter((other) => other !== page)
      known.delete(page.materialId)
      for (const [path, id] of promised) if (id === page.materialId) promised.delete(path)
    }
    if (each.kind === 'move' && page) {
      const path = readAddress(each.slug)
      if (!path.ok) continue
      const moved = movedAddresses(page, path.value, {
        page: site.find((other) => other.path === path.value) ?? null,
        redirecting: redirectingFrom(path.value),
        covered: page.path === null ? null : redirectingFrom(page.path),
        inFeeds: new Set(site.flatMap((other) => (other === page ? [] : [other.path ?? '', other.feedPath ?? '']))),
      })
      const isTaken = site.some((other) => other !== page && other.path === path.value)
      expect(moved.ok).toBe(!isTaken)
      if (!moved.ok) continue
      replace(moved.value)
      // An address that a person reassigns points to its new page, if readers can see that.
      if (page.isPublished && promised.has(path.value)) promised.set(path.value, page.materialId)
    }
    // A part of a site is published; all of its pages get their addresses.
    if (each.kind === 'publish') {
      const decided = addressesOf(site)
      site = site.map((other, index) => ({ ...other, path: decided[index] ?? '' }))
      for (const index of each.some) {
        const published = site[index]
        if (published?.path == null) continue
        promised.set(published.path, published.materialId)
        site = site.with(index, { ...published, isPublished: true })
      }
    }
    check(site, promised)
    for (const { materialId, path, feedPath } of site) {
      if (path === null) continue
      expect(feedPath ?? path, `${materialId} in feeds`).toBe(known.get(materialId) ?? feedPath ?? path)
      known.set(materialId, feedPath ?? path)
    }
    const inFeeds = site.flatMap(({ materialId }) => known.get(materialId) ?? [])
    expect(new Set(inFeeds).size, 'one page for each entry').toBe(inFeeds.length)
  }
}

function check(site: readonly Page[], promised: ReadonlyMap<string, string>) {
  const paths = site.flatMap(({ path }) => path ?? [])
  const redirects = site.flatMap(({ redirectsFrom }) => redirectsFrom)
  // Also on a file system that ignores case.
  for (const places of [paths, redirects])
    expect(new Set(places.map((path) => path.toLowerCase())).size).toBe(places.length)
  for (const { path, redirectsFrom } of site) expect(redirectsFrom, 'no redirect points to itself').not.toContain(path)
  for (const path of [...paths, ...redirects]) {
    expect(isPagePath(path)).toBe(true)
    expect(isBundlePath(pageFile(path))).toBe(true)
    expect(path).not.toMatch(/^(?:media|fonts|theme)(?:\/|$)/)
  }
  for (const [path, id] of promised) {
    const found =
      site.find((page) => page.isPublished && page.path === path) ??
      site.find((page) => page.redirectsFrom.includes(path))
    expect(found?.materialId, `${path} was promised to ${id}`).toBe(id)
    expect(found?.path, 'a redirect leads to a page').not.toBeNull()
  }
}

it('a published address leads to its page permanently, whatever happens to others', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) =>
      play([...['a', 'b', 'con'].map((id) => ({ kind: 'add', id, slug: 'summer' }) as const), ...steps]),
    ),
    { seed: 20_261_122, numRuns: Number(process.env['GALLEY_ADDRESS_RUNS'] ?? 500) },
  )
})

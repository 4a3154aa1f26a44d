import type { Background, BlobLocation } from '@galley/platform'
import type { Sha256 } from '@galley/wire'

import type { CurrentPage, PageFonts } from '../db/font-set/page-fonts.ts'
import type { IndexWith } from '../db/library-index.ts'
import type { AskedFace } from '../records/asked-faces.ts'
import type { TaskContext } from '../tasks/tasks.ts'
import type { Vault } from '../vault/vault.ts'
import type { FamilyUsage, FontFace, FontUsage, SnapshotDetail, Users } from '../views/fonts.ts'
import type { FontJobs } from './read-families.ts'

/** Lists at most this many names; the count includes all. */
const namesAtMost = 1_000

/** A face as described by its CSS: `400` or `100 900`; `normal`, `italic`, `oblique 10deg`. */
interface Face {
  readonly weight: string
  readonly style: string
}

interface Asked {
  readonly weight: number
  readonly style: 'normal' | 'italic'
}

const named: Readonly<Record<string, number>> = { normal: 400, bold: 700 }

function rangeOf(weight: string): { readonly from: number; readonly to: number } {
  const [from = 400, to = from] = weight.split(/\s+/).map((word) => named[word.toLowerCase()] ?? Number(word))
  return { from: Math.min(from, to), to: Math.max(from, to) }
}

const isUpright = ({ style }: Face): boolean => style.toLowerCase() === 'normal'

/** Whether a face matches the request exactly. */
export function isExact(face: Face, { weight, style }: Asked): boolean {
  const { from, to } = rangeOf(face.weight)
  return weight >= from && weight <= to && isUpright(face) === (style === 'normal')
}

/** The distance of a weight from those of a face, in the order in which browsers try them (CSS Fonts 4, section 5.2). */
function distance(face: Face, wanted: number): number {
  const { from, to } = rangeOf(face.weight)
  if (wanted >= from && wanted <= to) return 0
  const isAbove = from > wanted
  const by = isAbove ? from - wanted : wanted - to
  // For 400 to 500, browsers first try heavier weights up to 500, then lighter ones.
  if (wanted >= 400 && wanted <= 500) return isAbove && from <= 500 ? by : isAbove ? 2000 + by : 1000 + by
  return wanted < 400 === isAbove ? 1000 + by : by
}

/** The face that a browser selects; null if a family has none. */
export const faceFor = <Some extends Face>(faces: readonly Some[], asked: Asked): Some | null => {
  const sameStyle = faces.filter((face) => isUpright(face) === (asked.style === 'normal'))
  const [best = null] = (sameStyle.length > 0 ? sameStyle : faces).toSorted(
    (one, other) => distance(one, asked.weight) - distance(other, asked.weight),
  )
  return best
}

/** Collects the users of a family and its faces. Faces that differ only in their unicode range count as one. */
function familyUse(all: readonly FontFace[]) {
  const faces = new Map(all.map(({ weight, style }) => [JSON.stringify([weight, style]), { weight, style }]))
  const named = new Set<CurrentPage>()
  const shown = new Map([...faces.values()].map((face) => [face, new Set<CurrentPage>()]))
  const lacking = new Map<string, { readonly weight: string; readonly style: string; readonly by: Set<CurrentPage> }>()
  return {
    named,
    show(page: CurrentPage, { weight, style }: AskedFace): void {
      const face = faceFor([...shown.keys()], { weight, style })
      if (face === null) return
      shown.get(face)?.add(page)
      if (isExact(face, { weight, style })) return
      const key = JSON.stringify([weight, style])
      const lacks = lacking.get(key) ?? { weight: String(weight), style, by: new Set() }
      lacking.set(key, lacks)
      lacks.by.add(page)
    },
    usage: (): FamilyUsage => ({
      family: all[0]?.family ?? '',
      ...users([...named]),
      faces: [...shown].map(([face, by]) => ({ ...face, ...users([...by]) })),
      lacking: [...lacking.values()].map(({ by, ...face }) => ({ ...face, ...users([...by]) })),
    }),
  }
}

const users = (pages: readonly CurrentPage[]): Users => ({
  count: pages.length,
  materials: pages.slice(0, namesAtMost).map(({ materialId, title }) => ({ materialId, title })),
})

interface Ports {
  readonly index: IndexWith<'pageFonts'>
  readonly vault: Vault
  readonly background: Background<FontJobs>
}

type Offered = Pick<SnapshotDetail, 'site' | 'snapshotId' | 'faces'>

/** Pages per batch. Results are stored after each batch, so a cancelled task loses at most one. */
const batch = 50

/** The current pages of a site that use each face of a snapshot. Rejects if cancelled. */
export async function fontUsage(
  { index, vault, background }: Ports,
  offered: Offered,
  { signal, progress }: TaskContext,
): Promise<FontUsage> {
  const pages = index.pageFonts.currentPages(offered.site)
  const known = new Map<Sha256, PageFonts>(pages.flatMap(({ html, fonts }) => (fonts ? [[html, fonts] as const] : [])))
  const unread = [...new Set(pages.map(({ html }) => html))].filter((html) => !known.has(html))
  for (let at = 0; at < unread.length; at += batch) {
    progress({ step: 'reading', done: at, total: unread.length, unit: 'pages' })
    const some: { readonly html: Sha256; readonly location: BlobLocation }[] = []
    for (const html of unread.slice(at, at + batch)) {
      const place = index.blobs.find(html)
      if (place) some.push({ html, location: await vault.locate(place) })
    }
    const found = await background.run(
      'pageFamilies',
      some.map(({ location }) => location),
      { signal },
    )
    const read = found.flatMap((fonts, each) => (some[each] ? [{ ...fonts, html: some[each].html }] : []))
    index.pageFonts.put(read)
    for (const { html, ...fonts } of read) known.set(html, fonts)
  }
  return summary(offered, pages, known)
}

function summary(
  { site, snapshotId, faces }: Offered,
  pages: readonly CurrentPage[],
  known: ReadonlyMap<Sha256, PageFonts>,
): FontUsage {
  const families = new Map(
    [...Map.groupBy(faces, ({ family }) => family.toLowerCase())].map(([key, ofFamily]) => [key, familyUse(ofFamily)]),
  )
  const missing = new Map<string, CurrentPage[]>()
  for (const page of pages) {
    const { families: named = [], own = [], asked = [] } = known.get(page.html) ?? {}
    const embedded = new Set(own.map((family) => family.toLowerCase()))
    for (const family of named) {
      const ours = families.get(family.toLowerCase())
      if (ours !== undefined) ours.named.add(page)
      else if (!embedded.has(family.toLowerCase())) missing.set(family, [...(missing.get(family) ?? []), page])
    }
    for (const face of asked) families.get(face.family.toLowerCase())?.show(page, face)
  }
  return {
    site,
    snapshotId,
    materialsRead: pages.length,
    families: [...families.values()].map(({ usage }) => usage()),
    missing: [...missing].map(([family, all]) => ({ family, ...users(all) })),
  }
}

import { isUtf8 } from 'node:buffer'

import { withoutBase } from '../../../contract/domain/behind-base.ts'
import { cleanSvg } from '../../../contract/domain/bundle/clean-svg.ts'
import type { ExportFailure } from '../../../contract/domain/bundle/failure.ts'
import type { Layout, LayoutInput, StoredFacts } from '../../../contract/domain/bundle/layout.ts'
import { layOut } from '../../../contract/domain/bundle/layout.ts'
import { ownUrlsIn, ownUrlsInCss } from '../../../contract/domain/bundle/own-urls.ts'
import { hasLoadingStyle, isPassiveSvg, isPassiveXml } from '../../../contract/domain/bundle/svg.ts'
import { createPageFacts } from '../../../contract/text/html/page-facts.ts'
import type { NamedAddresses } from '../../../contract/domain/bundle/render/pages.ts'
import { workForm } from '../../../contract/domain/bundle/render/pages.ts'
import { pageParts } from '../../../contract/domain/bundle/render/whole-document.ts'
import type { MaterialId, Sha256 } from '../../../contract/ids.ts'
import { isStyleSheet } from '../../../contract/domain/media-types.ts'
import { archiveLimits } from '../../../contract/protocol/archive.ts'
import { createAddressReader } from '../../../contract/protocol/own-address.ts'
import { fontsCssName } from '../../../contract/protocol/public-url.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { MediaFile } from '../../../contract/domain/version.ts'
import type { PageCache } from './page-cache.ts'
import type { BundleSource } from './source.ts'
import { verifiedBytes, verifiedText } from './verified-blob.ts'
import { svgText } from './svg-text.ts'
import type { Watch } from './watch.ts'
import { sha256Of } from '../../platform/disk/sha256.ts'

/** More than typical drawings and caption tracks. A larger file is not read and counts as active content. */
const xmlMaxBytes = 16 * 1024 ** 2

interface PlannedBundle {
  readonly layout: Layout
  /** The addresses in each stored page, by the hash of the page. */
  readonly named: ReadonlyMap<Sha256, NamedAddresses>
}

/** Reads what the layout depends on from the library, and makes the layout. */
export async function planBundle(
  source: BundleSource,
  watch: Watch,
  cache: PageCache,
): Promise<Result<PlannedBundle, ExportFailure>> {
  const { site, pages, fonts } = source
  const ownMedia = pages.flatMap(({ version }) => version.media)
  const known = new Set([...ownMedia, ...(fonts?.files ?? [])].map(({ url }) => url))
  fonts?.cssUrls.forEach((url) => known.add(url))

  const furtherMedia: MediaFile[] = []
  const cssUrls = new Set(fonts?.cssUrls)
  const read = createAddressReader(site.publicBases)
  const addFurther = async (urls: readonly string[]): Promise<void> => {
    for (const url of urls) {
      if (known.has(url)) continue
      known.add(url)
      const plain = read(url) ?? url
      const file = cssUrls.has(plain) ? null : await source.mediaAt(plain)
      if (file !== null) furtherMedia.push({ ...file, url })
      else if (cssUrls.has(plain)) cssUrls.add(url)
    }
  }
  const facts = new Map<Sha256, StoredFacts>()
  const named = new Map<Sha256, NamedAddresses>()
  const linkTexts = new Map<string, string>()
  for (const [at, { materialId, version }] of pages.entries()) {
    watch('reading', at, pages.length, 'pages')
    const read = await readPage(source, { materialId, html: version.html }, cache)
    if (!read.ok) return read
    facts.set(version.html, read.value.facts)
    const { urls, links } = read.value
    named.set(version.html, { urls, links: links.map((link) => sameString(linkTexts, link)) })
    await addFurther(urls)
  }
  const namingSheets = await readStyles(source, [ownMedia, furtherMedia], addFurther)
  if (!namingSheets.ok) return namingSheets

  const drawings = await readDrawings(source, [...ownMedia, ...furtherMedia, ...(fonts?.files ?? [])])
  if (!drawings.ok) return drawings
  const { id, name, publishing, tagFolders } = site
  const urlsOf = new Map([...named].map(([html, addresses]) => [html, addresses.urls]))
  return ok({
    layout: layOut({
      site: { id, name, publishing, tagFolders },
      pages,
      facts,
      urls: urlsOf,
      fonts: fonts && { ...fonts, cssUrls: [...cssUrls] },
      furtherMedia,
      namingSheets: namingSheets.value,
      ...drawings.value,
    }),
    named,
  })
}

/** One string for equal ones: the pages of a site link to each other. */
function sameString(known: Map<string, string>, text: string): string {
  const same = known.get(text)
  if (same !== undefined) return same
  known.set(text, text)
  return text
}

/**
 * Reports the URLs of this library's files in the font CSS and in style sheets among the media, and returns those style
 * sheets. `add` may append to the lists.
 */
async function readStyles(
  source: BundleSource,
  lists: readonly (readonly MediaFile[])[],
  add: (urls: readonly string[]) => Promise<void>,
): Promise<Result<ReadonlySet<Sha256>, ExportFailure>> {
  const { fonts, site } = source
  const naming = new Set<Sha256>()
  if (fonts !== null) {
    const css = await verifiedText(source, { name: fontsCssName, sha256: fonts.css })
    if (!css.ok) return css
    await add(ownUrlsInCss(css.value, site.publicBases))
  }
  for (const files of lists) {
    for (const { name, sha256, sizeBytes } of files) {
      if (!isStyleSheet(name) || sizeBytes > archiveLimits.textBytes || naming.has(sha256)) continue
      const css = await verifiedBytes(source, { name, sha256 })
      if (!css.ok) return css
      // In another encoding, a rewritten text would not be the same text.
      const urls = isUtf8(css.value) ? ownUrlsInCss(css.value.toString('utf8'), site.publicBases) : []
      if (urls.length === 0) continue
      naming.add(sha256)
      await add(urls)
    }
  }
  return ok(naming)
}

/** The parts of a stored page that the layout depends on. */
interface ReadPage extends NamedAddresses {
  readonly facts: StoredFacts
}

async function readPage(
  source: BundleSource,
  { materialId, html }: { readonly materialId: MaterialId; readonly html: Sha256 },
  cache: PageCache,
): Promise<Result<ReadPage, ExportFailure>> {
  const { publicBases } = source.site
  const key = JSON.stringify(['read', workForm, html, publicBases])
  const known = cache.get(key) as ReadPage | null
  if (known !== null) return ok(known)
  const stored = await verifiedText(source, { name: `vms_html.html of ${materialId}`, sha256: html })
  if (!stored.ok) return stored
  const found = createPageFacts()
  const links = new Set<string>()
  const urls = ownUrlsIn(withoutBase(stored.value), publicBases, found.reader, (link) => {
    links.add(link)
    return null
  })
  const { leftOut } = pageParts(stored.value)
  return ok(cache.put(key, { facts: { ...found.read(), leftOut }, urls, links: [...links] }))
}

/** Which XML files could run scripts when they are opened, and which of them are drawings that can be cleaned. */
async function readDrawings(
  source: BundleSource,
  media: readonly MediaFile[],
): Promise<Result<Pick<LayoutInput, 'activeSvgs' | 'cleanedSvgs'>, ExportFailure>> {
  const activeSvgs = new Set<Sha256>()
  const cleanedSvgs = new Map<Sha256, Sha256>()
  const files = media.filter(({ name }) => /\.(?:svg|xml|gpx|kml)$/i.test(name))
  for (const { name, sha256, sizeBytes } of new Map(
    files.map((file) => [`${file.sha256} ${isSvg(file)}`, file]),
  ).values()) {
    if (sizeBytes > xmlMaxBytes) {
      activeSvgs.add(sha256)
      continue
    }
    const file = await verifiedBytes(source, { name, sha256 })
    if (!file.ok) return fail(file.failure)
    const plain = new TextDecoder().decode(file.value)
    if (isSvg({ name }) ? isPassiveSvg(plain) && !hasLoadingStyle(plain) : isPassiveXml(plain)) continue
    const text = svgText(file.value)
    const cleaned = isSvg({ name }) ? cleanSvg(text) : null
    if (cleaned === null) activeSvgs.add(sha256)
    // If cleaning removes nothing, the file itself is safe to show.
    else if (cleaned !== text) cleanedSvgs.set(sha256, sha256Of(cleaned))
  }
  return ok({ activeSvgs, cleanedSvgs })
}

const isSvg = ({ name }: Pick<MediaFile, 'name'>): boolean => /\.svg$/i.test(name)

import { createHash } from 'node:crypto'

import { cleanSvg } from '../../../contract/domain/bundle/clean-svg.ts'
import type { ExportFailure } from '../../../contract/domain/bundle/failure.ts'
import type { Layout, LayoutInput } from '../../../contract/domain/bundle/layout.ts'
import { layOut } from '../../../contract/domain/bundle/layout.ts'
import { ownUrlsIn } from '../../../contract/domain/bundle/own-urls.ts'
import { isPassiveSvg, isPassiveXml } from '../../../contract/domain/bundle/svg.ts'
import type { PageFacts } from '../../../contract/text/html/page-facts.ts'
import { createPageFacts } from '../../../contract/text/html/page-facts.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { MediaFile } from '../../../contract/domain/version.ts'
import type { BundleSource } from './source.ts'
import { verifiedBytes, verifiedText } from './verified-blob.ts'
import { svgText } from './svg-text.ts'
import type { Watch } from './watch.ts'

/** Drawings and tracks are smaller; what is larger is not read and counts as active. */
const xmlMaxBytes = 16 * 1024 ** 2

/** Reads what the layout depends on out of the library, and lays the bundle out. */
export async function planBundle(source: BundleSource, watch: Watch): Promise<Result<Layout, ExportFailure>> {
  const { site, pages, fonts } = source
  const ownMedia = pages.flatMap(({ version }) => version.media)
  const known = new Set([...ownMedia, ...(fonts?.files ?? [])].map(({ url }) => url))
  fonts?.cssUrls.forEach((url) => known.add(url))

  const furtherMedia: MediaFile[] = []
  const facts = new Map<Sha256, PageFacts>()
  for (const [at, { materialId, version }] of pages.entries()) {
    watch('reading', at, pages.length, 'pages')
    const html = await verifiedText(source, { name: `vms_html.html of ${materialId}`, sha256: version.html })
    if (!html.ok) return html
    const found = createPageFacts()
    const urls = ownUrlsIn(html.value, site.publicBases, found.reader)
    facts.set(version.html, found.read())
    for (const url of urls) {
      if (known.has(url)) continue
      known.add(url)
      const file = await source.mediaAt(url)
      if (file !== null) furtherMedia.push({ ...file, url })
    }
  }

  const drawings = await readDrawings(source, [...ownMedia, ...furtherMedia, ...(fonts?.files ?? [])])
  if (!drawings.ok) return drawings
  return ok(
    layOut({
      site: { id: site.id, name: site.name, publishing: site.publishing },
      pages,
      facts,
      fonts,
      furtherMedia,
      ...drawings.value,
    }),
  )
}

/** Which XML files could run when they are opened, and which of those that are drawings can be cleaned. */
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
    if (isSvg({ name }) ? isPassiveSvg(plain) : isPassiveXml(plain)) continue
    const text = svgText(file.value)
    const cleaned = isSvg({ name }) ? cleanSvg(text) : null
    if (cleaned === null) activeSvgs.add(sha256)
    // Where nothing had to go, the file itself is a picture.
    else if (cleaned !== text) cleanedSvgs.set(sha256, createHash('sha256').update(cleaned).digest('hex') as Sha256)
  }
  return ok({ activeSvgs, cleanedSvgs })
}

const isSvg = ({ name }: Pick<MediaFile, 'name'>): boolean => /\.svg$/i.test(name)

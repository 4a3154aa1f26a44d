import type { ExportFailure } from '../../../contract/domain/bundle/failure.ts'
import type { Layout } from '../../../contract/domain/bundle/layout.ts'
import { layOut } from '../../../contract/domain/bundle/layout.ts'
import { ownUrlsIn } from '../../../contract/domain/bundle/own-urls.ts'
import { isPassiveSvg } from '../../../contract/domain/bundle/svg.ts'
import type { PageFacts } from '../../../contract/text/html/page-facts.ts'
import { createPageFacts } from '../../../contract/text/html/page-facts.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { MediaFile } from '../../../contract/domain/version.ts'
import type { BundleSource } from './source.ts'
import { verifiedText } from './verified-blob.ts'
import type { Watch } from './watch.ts'

/** Drawings are smaller; what is larger is not read and counts as active. */
const svgMaxBytes = 16 * 1024 ** 2

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

  const activeSvgs = new Set<Sha256>()
  const svgs = [...ownMedia, ...furtherMedia, ...(fonts?.files ?? [])].filter(({ name }) => /\.svg$/i.test(name))
  for (const { name, sha256, sizeBytes } of new Map(svgs.map((file) => [file.sha256, file])).values()) {
    const svg = sizeBytes > svgMaxBytes ? ok('<script') : await verifiedText(source, { name, sha256 })
    if (!svg.ok) return fail(svg.failure)
    if (!isPassiveSvg(svg.value)) activeSvgs.add(sha256)
  }
  return ok(
    layOut({
      site: { id: site.id, name: site.name, publishing: site.publishing },
      pages,
      facts,
      fonts,
      furtherMedia,
      activeSvgs,
    }),
  )
}

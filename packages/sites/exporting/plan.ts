import { withoutBase } from '@galley/library/records'
import type { ExportFailure, MediaFile } from '@galley/library/records'
import type { MaterialId, Result, Sha256 } from '@galley/wire'
import { createAddressReader, createPageFacts, ok } from '@galley/wire'

import type { Layout, StoredFacts } from '../bundle/layout.ts'
import { layOut } from '../bundle/layout.ts'
import { ownUrlsIn } from '../bundle/own-urls.ts'
import type { NamedAddresses } from '../bundle/render/pages.ts'
import { workForm } from '../bundle/render/pages.ts'
import { pageParts } from '../bundle/render/whole-document.ts'
import type { PageCache } from './page-cache.ts'
import { readReferringFiles } from './referring-files.ts'
import type { BundleSource } from './source.ts'
import { verifiedText } from './verified-blob.ts'
import type { Watch } from './watch.ts'

interface PlannedBundle {
  readonly layout: Layout
  /** The addresses in each stored page, by the hash of the page. */
  readonly named: ReadonlyMap<Sha256, NamedAddresses>
  /** The same of drawings and style sheets, by key. */
  readonly urlsByKey: ReadonlyMap<string, readonly string[]>
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
  const media = { own: ownMedia, further: furtherMedia, fonts: fonts?.files ?? [], fontsCssUrls: cssUrls }
  const referring = await readReferringFiles(source, media, addFurther)
  if (!referring.ok) return referring
  const { urlsByKey, ...changed } = referring.value
  const { id, name, publishing, tagFolders, hasChosenHome } = site
  const urlsOf = new Map([...named].map(([html, addresses]) => [html, addresses.urls]))
  return ok({
    layout: layOut({
      site: { id, name, publishing, tagFolders, hasChosenHome },
      pages,
      facts,
      urls: urlsOf,
      fonts: fonts && { ...fonts, cssUrls: [...cssUrls] },
      furtherMedia,
      ...changed,
    }),
    named,
    urlsByKey,
  })
}

/** One string for equal ones: the pages of a site link to each other. */
function sameString(known: Map<string, string>, text: string): string {
  const same = known.get(text)
  if (same !== undefined) return same
  known.set(text, text)
  return text
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
  const urls = ownUrlsIn(withoutBase(stored.value), publicBases, found.reader, (link, _isFramed, base = null) => {
    links.add(base === null ? link : `${link}\n${base}`)
    return null
  })
  const { leftOut } = pageParts(stored.value)
  return ok(cache.put(key, { facts: { ...found.read(), leftOut }, urls, links: [...links] }))
}

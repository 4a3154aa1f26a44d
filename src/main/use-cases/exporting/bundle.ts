import { createHash } from 'node:crypto'

import type { ExportFailure, ThemeProblem } from '../../../contract/domain/bundle/failure.ts'
import type { Layout, PlannedPage } from '../../../contract/domain/bundle/layout.ts'
import type { BrokenLink } from '../../../contract/domain/broken-link.ts'
import type { CheckedContents, CheckedPart, LinkReport, OutsideLink } from '../../../contract/domain/bundle/links.ts'
import { createContentsReader, createLinkCheck } from '../../../contract/domain/bundle/links.ts'
import { manifestText } from '../../../contract/domain/bundle/manifest.ts'
import type { NamedAddresses, RewrittenPage } from '../../../contract/domain/bundle/render/pages.ts'
import { createPages, workForm } from '../../../contract/domain/bundle/render/pages.ts'
import { bundlePath } from '../../../contract/domain/bundle/paths.ts'
import { withLocalPaths } from '../../../contract/domain/bundle/render/local-paths.ts'
import { writtenKey, writtenKind } from '../../../contract/domain/bundle/written-file.ts'
import { redirectFiles } from '../../../contract/domain/bundle/render/redirects.ts'
import type { ThemeSettings } from '../../../contract/domain/site-model.ts'
import type { ExportCounts } from '../../../contract/ipc/exports.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { PageCache } from './page-cache.ts'
import type { BundleSource } from './source.ts'
import type { BundleFile } from './content.ts'
import { bytesOf } from './content.ts'
import { scratchBytes } from './scratch.ts'
import type { ReadTheme } from './theme-folders.ts'
import { verifiedBlob, verifiedBytes, verifiedText } from './verified-blob.ts'
import { writtenDrawing } from './svg-text.ts'
import type { Watch } from './watch.ts'

/** A bundle, before any of it is written. */
export interface Bundle {
  /** In writing order: stored files, styles, pages, files that link to pages, and the manifest last. */
  readonly files: readonly BundleFile[]
  /** The hash of the manifest, which lists the hash of every other file. */
  readonly sha256: string
  readonly links: LinkReport
}

/** The result of writing a bundle. */
export interface WrittenBundle {
  readonly counts: ExportCounts
  /** With a thorough check: files that had changed since the last export and were rewritten. */
  readonly wrong: readonly string[]
}

export interface BundleOptions {
  readonly theme: ReadTheme
  readonly settings: ThemeSettings
  readonly baseUrl: string | null
  readonly checkLinks: boolean
  /** Called for every link to another site. */
  readonly onOutside?: (link: OutsideLink) => void
  readonly watch: Watch
  readonly cache: PageCache
  /** The addresses in each stored page, by the hash of the page. */
  readonly named: ReadonlyMap<Sha256, NamedAddresses>
  /** The same of drawings and style sheets, by key. */
  readonly urlsByKey: ReadonlyMap<string, readonly string[]>
}

/**
 * Renders every text once to get its hash and its references. The text is then spooled to disk or discarded, so memory
 * use does not depend on the size of the site.
 */
export async function makeBundle(
  source: BundleSource,
  layout: Layout,
  { theme: { theme, assets }, settings, baseUrl, checkLinks, onOutside, watch, cache, named, urlsByKey }: BundleOptions,
): Promise<Result<Bundle, ExportFailure>> {
  const searchScripts = [...theme.assets].filter(([name]) => name === 'search.js').map(([, path]) => path)
  const pages = createPages(layout, theme, { baseUrl, settings, searchScripts })
  const all = [
    ...layout.blobs.map(({ path, sizeBytes, sha256, name }): BundleFile => ({
      kind: 'blob',
      path,
      bytes: sizeBytes,
      sha256,
      name,
      open: () => verifiedBlob(source, { name, sha256, sizeBytes }),
    })),
    ...assets.map(({ path, bytes, sha256, name }): BundleFile => ({
      kind: 'blob',
      path,
      bytes: bytes.length,
      sha256,
      name,
      open: () => ({ chunks: bytesOf(bytes), failure: () => null }),
    })),
  ]
  // Assets with the same bytes and similar names are one file.
  const blobs = [...new Map(all.map((file) => [file.path, file])).values()]
  const { publicBases } = source.site
  const read = createContentsReader(publicBases)
  const texts = textsOf(source, layout, pages, { baseUrl, cache, named, urlsByKey, readPart: read.part })
  const check = createLinkCheck({
    paths: new Set([...blobs, ...texts].map(({ path }) => path)),
    inertPaths: new Set(layout.blobs.filter(({ inert }) => inert).map(({ path }) => path)),
    baseUrl,
    publicBases,
    withheld: new Set(source.site.withheld),
    published: new Set(layout.pages.map(({ materialId }) => materialId)),
    ...(onOutside && { onOutside }),
  })
  /** The parts of a finished page that the link check needs. */
  function contentsIn(html: string, sha256: string, part: CheckedPart | null = null): CheckedContents {
    // Around a known part there is little to read: the cache would take longer.
    const around = part && read.pageAround(html, part)
    if (around !== null) return around
    const key = JSON.stringify(['checked', workForm, sha256, publicBases])
    const known = cache.get(key) as CheckedContents | null
    return known ?? cache.put(key, read.page(html))
  }
  const made: BundleFile[] = []
  const broken: BrokenLink[] = []
  let checked = 0
  for (const [at, { path, make }] of texts.entries()) {
    watch('rewriting', at, texts.length, 'pages')
    const content = await make()
    if (!content.ok) return fail(content.failure)
    const { text, part } = content.value
    const written = scratchBytes(text)
    const facts = fingerprint(written)
    const spooled = cache.spool(written, facts.sha256)
    made.push({ kind: 'text', path, name: path, ...facts, text: textAgain(spooled, make) })
    // Feeds and sitemaps name the same paths as the pages.
    if (!checkLinks || !/\.(?:html|css)$/.test(path)) continue
    const report = path.endsWith('.css')
      ? check.styleSheet(path, text)
      : check.page(path, text, contentsIn(text, facts.sha256, part))
    checked += report.checked
    broken.push(...report.broken)
  }
  const fileAt = new Map(made.map((file) => [file.path, file]))
  for (const path of check.awaitedPages()) {
    const file = fileAt.get(path)
    const content = file?.kind === 'text' ? await file.text() : ok('')
    if (!content.ok) return fail(content.failure)
    broken.push(...check.anchors(path, contentsIn(content.value, file?.sha256 ?? '')))
  }
  const files = [...blobs, ...made]
  const manifest = manifestText(layout, files)
  const { bytes, sha256 } = fingerprint(Buffer.from(manifest))
  const last = { kind: 'text', path: bundlePath.manifest, name: bundlePath.manifest, bytes, sha256 } as const
  return ok({ files: [...files, { ...last, text: async () => ok(manifest) }], sha256, links: { checked, broken } })
}

/** Reads a text from where it was spooled. */
const textAgain =
  (kept: (() => string | null) | null, make: BundleText['make']): (() => Promise<Result<string, ExportFailure>>) =>
  async () => {
    const text = kept?.() ?? null
    if (text !== null) return ok(text)
    const made = await make()
    return made.ok ? ok(made.value.text) : made
  }

/** A text of a bundle, rendered each time it is needed. */
interface BundleText {
  readonly path: string
  make(): Promise<Result<MadeText, ExportFailure>>
}

interface MadeText {
  readonly text: string
  /** Of a page: its stored part. */
  readonly part: CheckedPart | null
}

/** What is kept of a stored page between exports. */
interface ReadPage extends RewrittenPage {
  /** What the link check reads from the content. Null if it depends on the surrounding page. */
  readonly contents: CheckedContents | null
}

/** In writing order. */
function textsOf(
  source: BundleSource,
  layout: Layout,
  pages: ReturnType<typeof createPages>,
  {
    baseUrl,
    cache,
    named,
    urlsByKey,
    readPart,
  }: Pick<BundleOptions, 'baseUrl' | 'cache' | 'named' | 'urlsByKey'> & {
    readonly readPart: (markup: string) => CheckedContents | null
  },
): readonly BundleText[] {
  const { fontsCss } = layout
  const { others } = pages
  // A person may redirect from a path where an old site had a page and this one has a list.
  const generated = new Set(others.map(({ path }) => path))
  const redirects = layout.redirects.filter(({ from }) => !generated.has(from.toLowerCase()))

  async function fromStored(
    sha256: Sha256,
    name: string,
    make: (stored: string) => Result<string, ThemeProblem>,
  ): Promise<Result<string, ExportFailure>> {
    const stored = await verifiedText(source, { name, sha256 })
    return stored.ok ? ofTheme(make(stored.value)) : stored
  }

  async function rewritten(page: PlannedPage): Promise<Result<ReadPage, ExportFailure>> {
    const addresses = named.get(page.html)
    const key =
      addresses === undefined ? null : JSON.stringify([pages.rewriteKey(page, addresses), source.site.publicBases])
    const known = key === null ? null : (cache.get(key) as ReadPage | null)
    if (known !== null) return ok(known)
    const stored = await verifiedText(source, { name: `vms_html.html of ${page.materialId}`, sha256: page.html })
    if (!stored.ok) return stored
    const rewrite = pages.rewrite(page, stored.value)
    const made = { ...rewrite, contents: readPart(rewrite.content) }
    return ok(key === null ? made : cache.put(key, made))
  }

  async function pageText(page: PlannedPage): Promise<Result<MadeText, ExportFailure>> {
    const stored = await rewritten(page)
    if (!stored.ok) return stored
    const { contents, ...given } = stored.value
    const { content: markup } = given
    const made = ofTheme(pages.page(page, given))
    return made.ok ? ok({ text: made.value, part: contents && { markup, contents } }) : made
  }

  /** Only media that the export changes are in the layout's list of them. */
  async function writtenText(file: Layout['written'][number]): Promise<Result<string, ExportFailure>> {
    const urls = urlsByKey.get(writtenKey(file)) ?? []
    const pathOf = (url: string): string | null => layout.pathByUrl.get(url) ?? null
    if (writtenKind(file.name) === 'sheet')
      return fromStored(file.sha256, file.name, (stored) => ok(withLocalPaths('sheet', stored, urls, pathOf)))
    const stored = await verifiedBytes(source, { name: file.name, sha256: file.sha256 })
    if (!stored.ok) return stored
    const drawing = writtenDrawing(stored.value, urls, pathOf)
    return ok(drawing.kind === 'text' ? drawing.text : '')
  }

  return [
    ...layout.written.map((file) => ({ path: file.path, make: async () => whole(await writtenText(file)) })),
    ...(fontsCss === null
      ? []
      : [
          {
            path: bundlePath.fontsCss,
            make: async () =>
              whole(await fromStored(fontsCss, 'vms_fonts.css', (stored) => ok(pages.fontsCss(stored)))),
          },
        ]),
    ...layout.pages.map((page) => ({ path: page.path, make: () => pageText(page) })),
    ...redirectFiles({ ...layout, redirects }, [...generated], baseUrl).map(({ path, text }) => ({
      path,
      make: async () => whole(ok(text())),
    })),
    ...others.map(({ path, text }) => ({ path, make: async () => whole(ofTheme(text())) })),
  ]
}

/** A text without a stored part. */
const whole = (made: Result<string, ExportFailure>): Result<MadeText, ExportFailure> =>
  made.ok ? ok({ text: made.value, part: null }) : made

const ofTheme = <Value>(made: Result<Value, ThemeProblem>): Result<Value, ExportFailure> =>
  made.ok ? made : fail({ kind: 'invalid_theme', ...made.failure })

const fingerprint = (written: Buffer): { readonly bytes: number; readonly sha256: string } => ({
  bytes: written.length,
  sha256: createHash('sha256').update(written).digest('hex'),
})

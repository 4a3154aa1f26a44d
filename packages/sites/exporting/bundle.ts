import { createHash } from 'node:crypto'
import type { ExportFailure, LinkReport, ThemeSettings } from '@galley/library/records'
import { bundlePath } from '@galley/library/records'
import { sha256Of } from '@galley/platform'
import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { Layout } from '../bundle/layout.ts'
import type { KnownLinks } from '../bundle/link-check.ts'
import { createContentsReader, createLinkCheck, createLinkCount } from '../bundle/link-check.ts'
import { manifestText } from '../bundle/manifest.ts'
import type { OutsideLink } from '../bundle/reference-check.ts'
import { createPages } from '../bundle/render/pages.ts'
import type { BundleText, MadeText, TextSource } from './bundle-texts.ts'
import { textsOf } from './bundle-texts.ts'
import type { BundleFile } from './content.ts'
import { bytesOf, piecesOf } from './content.ts'
import { createKnownTexts, programKey } from './known-texts.ts'
import type { PageCache } from './page-cache.ts'
import { StaleText } from './page-cache.ts'
import { scratchBytes } from './scratch.ts'
import { shortHashOf } from './short-hash.ts'
import type { BundleSource } from './source.ts'
import type { ReadTheme } from './theme-folders.ts'
import { verifiedBlob } from './verified-blob.ts'
import type { Watch } from './watch.ts'

/** A bundle, before any of it is written. */
export interface Bundle {
  /** In writing order: stored files, styles, pages, files that link to pages, and the manifest last. */
  readonly files: readonly BundleFile[]
  /** The hash of the manifest, which lists the hash of every other file. */
  readonly sha256: string
  readonly links: LinkReport
}

export interface BundleOptions extends Pick<TextSource, 'baseUrl' | 'cache' | 'named' | 'urlsByKey'> {
  readonly theme: ReadTheme
  readonly settings: ThemeSettings
  readonly checkLinks: boolean
  /** Called for every link to another site. */
  readonly onOutside?: (link: OutsideLink) => void
  readonly watch: Watch
}

/**
 * Takes the hash and the links of every text from an earlier export, or renders it once to get them. The text is then spooled to
 * disk or discarded, so memory use does not depend on the size of the site.
 */
export async function makeBundle(
  source: BundleSource,
  layout: Layout,
  options: BundleOptions,
): Promise<Result<Bundle, ExportFailure>> {
  const { settings, baseUrl, onOutside, watch, cache } = options
  const { theme, assets } = options.theme
  const searchScripts = [...theme.assets].filter(([name]) => name === 'search.js').map(([, path]) => path)
  const pages = createPages(layout, theme, {
    baseUrl,
    settings,
    searchScripts,
    digest: shortHashOf,
    nowMs: () => performance.now(),
    program: programKey(),
  })
  const blobs = blobsOf(source, layout, assets)
  const { publicBases } = source.site
  const read = createContentsReader(publicBases)
  const texts = textsOf({ ...options, source, layout, pages, readPart: (path, markup) => check.part(path, markup) })
  const check = createLinkCheck({
    paths: new Set([...blobs, ...texts].map(({ path }) => path)),
    inertPaths: new Set(layout.blobs.filter(({ inert }) => inert).map(({ path }) => path)),
    baseUrl,
    publicBases,
    withheld: new Set(source.site.withheld),
    published: new Set(layout.pages.map(({ materialId }) => materialId)),
    ...(onOutside && { onOutside }),
  })
  const knownTexts = createKnownTexts({ cache, pages, publicBases })
  const links = createLinkCount()
  // Feeds and sitemaps name the same paths as the pages.
  const isChecked = (path: string): boolean => options.checkLinks && path.endsWith('.html')
  const made: BundleFile[] = []
  const add = (path: string, facts: { readonly bytes: number; readonly sha256: string }, text: TextReader): void =>
    void made.push({ kind: 'text', path, name: path, bytes: facts.bytes, sha256: facts.sha256, text })

  /** Uses a text of an earlier export without rendering it. Returns whether it could. */
  function isKnown({ path, make, onKnown }: BundleText, key: string | null): boolean {
    // Links to other sites are reported with their places.
    const known = onOutside === undefined ? knownTexts.find(key) : null
    const report = known?.links && isChecked(path) ? check.knownPage(path, known.links) : null
    if (known === null || (report === null && isChecked(path))) return false
    if (report !== null) links.add(report)
    onKnown?.(known.words)
    add(path, known, textAgain(null, make, known.sha256))
    return true
  }

  /** Checks the links of a text, and returns them. */
  function checked(path: string, { text, part }: MadeText): KnownLinks | null {
    if (options.checkLinks && path.endsWith('.css')) links.add(check.styleSheet(path, text))
    if (!isChecked(path)) return null
    // Around a known part there is little to read.
    const { known, ...report } =
      (part?.judged && check.pageAround(path, text, part)) ??
      check.page(path, text, (part?.judged === null && read.pageAround(text, part)) || read.page(text))
    links.add(report)
    return known
  }

  for (const [at, text] of texts.entries()) {
    watch('rewriting', at, texts.length, 'pages')
    const key = knownTexts.keyOf(text)
    if (isKnown(text, key)) continue
    const { path, make } = text
    const content = await make()
    const reads = pages.takeReads()
    if (!content.ok) return fail(content.failure)
    const facts = fingerprint(content.value.text)
    add(path, facts, textAgain(spooled(cache, content.value.text, facts.sha256), make, facts.sha256))
    const { words } = content.value
    knownTexts.keep(key, reads, { ...facts, words, links: checked(path, content.value) })
  }
  const fileAt = new Map(made.map((file) => [file.path, file]))
  const textAt = new Map(texts.map((text) => [text.path, text]))
  for (const path of check.awaitedPages()) {
    const text = textAt.get(path)
    const known = text === undefined ? null : knownTexts.find(knownTexts.keyOf(text))
    const file = fileAt.get(path)
    const content = known?.links || file?.kind !== 'text' ? ok('') : await file.text()
    if (!content.ok) return fail(content.failure)
    links.add({ checked: 0, broken: check.anchors(path, known?.links ?? check.contents(content.value)) })
  }
  return ok({ ...withManifest(layout, [...blobs, ...made]), links: links.read() })
}

function withManifest(layout: Layout, files: readonly BundleFile[]): Omit<Bundle, 'links'> {
  const manifest = manifestText(layout, files)
  const { bytes, sha256 } = fingerprint(manifest)
  const last = { kind: 'text', path: bundlePath.manifest, name: bundlePath.manifest, bytes, sha256 } as const
  return { files: [...files, { ...last, text: async () => ok(manifest) }], sha256 }
}

/** Stored files and assets, each path once: assets with the same bytes and similar names are one file. */
function blobsOf(source: BundleSource, layout: Layout, assets: ReadTheme['assets']): readonly BundleFile[] {
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
  return [...new Map(all.map((file) => [file.path, file])).values()]
}

type TextReader = () => Promise<Result<string, ExportFailure>>

/** Reads a text from where it was spooled, or renders it again. */
const textAgain =
  (kept: (() => string | null) | null, make: BundleText['make'], sha256: string): TextReader =>
  async () => {
    const text = kept?.() ?? null
    if (text !== null) return ok(text)
    const made = await make()
    if (!made.ok) return made
    if (sha256Of(made.value.text) !== sha256) throw new StaleText()
    return ok(made.value.text)
  }

/** Of a text that is much longer than others, no bytes are kept: it is made again when it is written. */
const spooledMaxChars = 1024 * 1024

const spooled = (cache: PageCache, text: string, sha256: string): ReturnType<PageCache['spool']> =>
  text.length > spooledMaxChars ? null : cache.spool(scratchBytes(text), sha256)

function fingerprint(text: string): { readonly bytes: number; readonly sha256: string } {
  const hash = createHash('sha256')
  let bytes = 0
  for (const piece of piecesOf(text)) {
    const written = scratchBytes(piece)
    hash.update(written)
    bytes += written.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

import { createHash } from 'node:crypto'

import { cleanSvg } from '../../../contract/domain/bundle/clean-svg.ts'
import type { ExportFailure, ThemeProblem } from '../../../contract/domain/bundle/failure.ts'
import type { Layout } from '../../../contract/domain/bundle/layout.ts'
import type { BrokenLink, LinkReport, OutsideLink } from '../../../contract/domain/bundle/links.ts'
import { createLinkCheck } from '../../../contract/domain/bundle/links.ts'
import type { ManifestFile } from '../../../contract/domain/bundle/manifest.ts'
import { manifestText } from '../../../contract/domain/bundle/manifest.ts'
import { createPages } from '../../../contract/domain/bundle/render/pages.ts'
import { bundlePath } from '../../../contract/domain/bundle/paths.ts'
import { redirectFiles } from '../../../contract/domain/bundle/render/redirects.ts'
import type { ThemeSettings } from '../../../contract/domain/site-model.ts'
import type { ExportCounts } from '../../../contract/ipc/exports.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { BundleSource } from './source.ts'
import type { ReadTheme } from './theme-folders.ts'
import type { VerifiedBlob } from './verified-blob.ts'
import { verifiedBlob, verifiedBytes, verifiedText } from './verified-blob.ts'
import { svgText } from './svg-text.ts'
import type { Watch } from './watch.ts'

/** One file of a bundle, with the way to its bytes; sizes in bytes. */
export type BundleFile = ManifestFile & { readonly name: string } & (
    | { readonly kind: 'blob'; open(): VerifiedBlob }
    | { readonly kind: 'text'; text(): Promise<Result<string, ExportFailure>> }
  )

/** A whole bundle before anything of it is written. */
export interface Bundle {
  /** In the order of writing: stored files, styles, pages, what links to pages, and last the manifest. */
  readonly files: readonly BundleFile[]
  /** Of the manifest, which lists the hash of every other file. */
  readonly sha256: string
  readonly links: LinkReport
}

/** What writing a bundle came to. */
export interface WrittenBundle {
  readonly counts: ExportCounts
  /** Of a thorough look: files that were not what an export had left there, and were written again. */
  readonly wrong: readonly string[]
}

export interface BundleOptions {
  readonly theme: ReadTheme
  readonly settings: ThemeSettings
  readonly baseUrl: string | null
  readonly checkLinks: boolean
  /** Told of every link to another site. */
  readonly onOutside?: (link: OutsideLink) => void
  readonly watch: Watch
}

/**
 * Makes every text once to know its hash and its references, and forgets it again: a site of any size fits in memory,
 * and a text that turns out to be needed is made a second time.
 */
export async function makeBundle(
  source: BundleSource,
  layout: Layout,
  { theme: { theme, assets }, settings, baseUrl, checkLinks, onOutside, watch }: BundleOptions,
): Promise<Result<Bundle, ExportFailure>> {
  const searchScripts = [...theme.assets].filter(([name]) => name === 'search.js').map(([, path]) => path)
  const pages = createPages(layout, theme, { baseUrl, settings, searchScripts })
  const blobs = [
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
      open: () => ({ chunks: chunksOf(bytes), failure: () => null }),
    })),
  ]
  const texts = textsOf(source, layout, pages, baseUrl)
  const check = createLinkCheck({
    paths: new Set([...blobs, ...texts].map(({ path }) => path)),
    inertPaths: new Set(layout.blobs.filter(({ inert }) => inert).map(({ path }) => path)),
    baseUrl,
    publicBases: source.site.publicBases,
    withheld: new Set(source.site.withheld),
    ...(onOutside && { onOutside }),
  })
  const made: BundleFile[] = []
  const broken: BrokenLink[] = []
  let checked = 0
  for (const [at, { path, text }] of texts.entries()) {
    watch('rewriting', at, texts.length, 'pages')
    const content = await text()
    if (!content.ok) return fail(content.failure)
    made.push({ kind: 'text', path, name: path, ...fingerprint(content.value), text })
    // What machines read names the same paths as the pages do.
    if (!checkLinks || !/\.(?:html|css)$/.test(path)) continue
    const report = path.endsWith('.css') ? check.styleSheet(path, content.value) : check.page(path, content.value)
    checked += report.checked
    broken.push(...report.broken)
  }
  const textAt = new Map(texts.map(({ path, text }) => [path, text]))
  for (const path of check.awaitedPages()) {
    const content = await textAt.get(path)?.()
    if (content?.ok === false) return fail(content.failure)
    broken.push(...check.anchors(path, content?.value ?? ''))
  }
  const files = [...blobs, ...made]
  const manifest = manifestText(layout, files)
  const { bytes, sha256 } = fingerprint(manifest)
  const last = { kind: 'text', path: bundlePath.manifest, name: bundlePath.manifest, bytes, sha256 } as const
  return ok({ files: [...files, { ...last, text: async () => ok(manifest) }], sha256, links: { checked, broken } })
}

/** A text of a bundle, made each time that it is asked for. */
interface BundleText {
  readonly path: string
  text(): Promise<Result<string, ExportFailure>>
}

/** In the order of writing. */
function textsOf(
  source: BundleSource,
  layout: Layout,
  pages: ReturnType<typeof createPages>,
  baseUrl: string | null,
): readonly BundleText[] {
  const { fontsCss } = layout

  async function fromStored(
    sha256: Sha256,
    name: string,
    make: (stored: string) => Result<string, ThemeProblem>,
  ): Promise<Result<string, ExportFailure>> {
    const stored = await verifiedText(source, { name, sha256 })
    return stored.ok ? ofTheme(make(stored.value)) : stored
  }

  async function cleaned(file: Pick<Layout['blobs'][number], 'name' | 'sha256'>) {
    const stored = await verifiedBytes(source, file)
    // The layout has only such drawings here that can be cleaned.
    return stored.ok ? ok(cleanSvg(svgText(stored.value)) ?? '') : stored
  }

  return [
    ...layout.cleanedSvgs.map(({ path, name, sha256 }) => ({ path, text: () => cleaned({ name, sha256 }) })),
    ...(fontsCss === null
      ? []
      : [
          {
            path: bundlePath.fontsCss,
            text: () => fromStored(fontsCss, 'vms_fonts.css', (stored) => ok(pages.fontsCss(stored))),
          },
        ]),
    ...layout.pages.map((page) => ({
      path: page.path,
      text: () => fromStored(page.html, `vms_html.html of ${page.materialId}`, (stored) => pages.page(page, stored)),
    })),
    ...redirectFiles(layout, baseUrl).map(({ path, text }) => ({ path, text: async () => ok(text()) })),
    ...pages.others().map(({ path, text }) => ({ path, text: async () => ofTheme(text()) })),
  ]
}

const ofTheme = <Value>(made: Result<Value, ThemeProblem>): Result<Value, ExportFailure> =>
  made.ok ? made : fail({ kind: 'invalid_theme', ...made.failure })

/** The bytes of a file, and why they are not the right ones once they have all gone by. */
export async function contentOf(file: BundleFile): Promise<Result<VerifiedBlob, ExportFailure>> {
  if (file.kind === 'blob') return ok(file.open())
  const text = await file.text()
  return text.ok ? ok({ chunks: bytesOf(text.value), failure: () => null }) : text
}

/** A text as the bytes of a file. */
export const bytesOf = (text: string): AsyncIterable<Buffer> => chunksOf(Buffer.from(text))

async function* chunksOf(bytes: Buffer): AsyncIterable<Buffer> {
  yield bytes
}

const fingerprint = (text: string): { readonly bytes: number; readonly sha256: string } => ({
  bytes: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
})

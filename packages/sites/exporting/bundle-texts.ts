import type { ExportFailure, ThemeProblem } from '@galley/library/records'
import { bundlePath, invalidTheme } from '@galley/library/records'
import type { Result, Sha256 } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { Layout, PlannedPage } from '../bundle/layout.ts'
import type { CheckedPart } from '../bundle/link-check.ts'
import { withLocalPaths } from '../bundle/render/local-paths.ts'
import type { createPages, NamedAddresses, RewrittenPage } from '../bundle/render/pages.ts'
import { redirectFiles } from '../bundle/render/redirects.ts'
import { writtenKey, writtenKind } from '../bundle/written-file.ts'
import type { PageCache } from './page-cache.ts'
import { shortHashOf } from './short-hash.ts'
import type { BundleSource } from './source.ts'
import { writtenDrawing } from './svg-text.ts'
import { verifiedBytes, verifiedText } from './verified-blob.ts'

/** A text of a bundle, rendered each time it is needed. */
export interface BundleText {
  readonly path: string
  /** Names everything that the text depends on. Absent or null: it is rendered in each export. */
  readonly key?: () => string | null
  /** Called instead of `make` if the text is known; `words` are those of the page. */
  readonly onKnown?: (words: string | null) => void
  make(): Promise<Result<MadeText, ExportFailure>>
}

export interface MadeText {
  readonly text: string
  /** Of a page: its stored part. */
  readonly part: CheckedPart | null
  /** Of a page: its words for the search page. */
  readonly words: string | null
}

type ReadPart = Pick<CheckedPart, 'contents' | 'judged'>

/** What texts are made of. */
export interface TextSource {
  readonly source: BundleSource
  readonly layout: Layout
  readonly pages: ReturnType<typeof createPages>
  readonly baseUrl: string | null
  readonly cache: PageCache
  /** The addresses in each stored page, by the hash of the page. */
  readonly named: ReadonlyMap<Sha256, NamedAddresses>
  /** The same of drawings and style sheets, by key. */
  readonly urlsByKey: ReadonlyMap<string, readonly string[]>
  /** Reads the content of a page for the link check; null if it depends on the surrounding page. */
  readonly readPart: (path: string, markup: string) => ReadPart | null
}

/** The texts of a bundle, in writing order. */
export function textsOf(from: TextSource): readonly BundleText[] {
  const { source, layout, pages, baseUrl } = from
  const { fontsCss } = layout
  const { others } = pages
  // A person may redirect from a path where an old site had a page and this one has a list.
  const generated = new Set(others.map(({ path }) => path))
  const redirects = layout.redirects.filter(({ from: path }) => !generated.has(path.toLowerCase()))
  return [
    ...layout.written.map((file) => ({ path: file.path, make: async () => whole(await writtenText(from, file)) })),
    ...(fontsCss === null
      ? []
      : [
          {
            path: bundlePath.fontsCss,
            make: async () =>
              whole(await fromStored(source, fontsCss, 'vms_fonts.css', (stored) => pages.fontsCss(stored))),
          },
        ]),
    ...pageTexts(from),
    ...redirectFiles({ ...layout, redirects }, [...generated], baseUrl).map(({ path, text }) => ({
      path,
      make: async () => whole(ok(text())),
    })),
    ...others.map(({ path, key, text }) => ({ path, key, make: async () => whole(ofTheme(text())) })),
  ]
}

/** What is kept of a stored page between exports. */
interface ReadPage extends RewrittenPage {
  readonly part: ReadPart | null
}

function pageTexts({ source, layout, pages, baseUrl, cache, named, readPart }: TextSource): readonly BundleText[] {
  /** Names everything that a rewritten page and its links depend on; null if its addresses are unknown. */
  function rewriteKey(page: PlannedPage): string | null {
    const addresses = named.get(page.html)
    if (addresses === undefined) return null
    return shortHashOf(JSON.stringify([pages.rewriteKey(page, addresses), source.site.publicBases, page.path, baseUrl]))
  }

  async function rewritten(page: PlannedPage, key: string | null): Promise<Result<ReadPage, ExportFailure>> {
    const known = key === null ? null : (cache.get(key) as ReadPage | null)
    if (known !== null) return ok(known)
    const stored = await verifiedText(source, { name: `vms_html.html of ${page.materialId}`, sha256: page.html })
    if (!stored.ok) return stored
    const rewrite = pages.rewrite(page, stored.value)
    const made = { ...rewrite, part: readPart(page.path, rewrite.content) }
    return ok(key === null ? made : cache.put(key, made))
  }

  return layout.pages.map((page): BundleText => {
    let known: { readonly key: string | null } | null = null
    const keyOnce = (): string | null => (known ??= { key: rewriteKey(page) }).key
    return {
      path: page.path,
      key() {
        const key = keyOnce()
        return key && pages.pageKey(page, key)
      },
      onKnown(words) {
        pages.collectWords(page, words ?? '')
        // A change of the theme needs it.
        const key = keyOnce()
        if (key !== null) cache.touch(key)
      },
      async make() {
        const stored = await rewritten(page, keyOnce())
        if (!stored.ok) return stored
        const { part, ...given } = stored.value
        const { content: markup, words } = given
        const made = ofTheme(pages.page(page, given))
        return made.ok ? ok({ text: made.value, part: part && { markup, ...part }, words }) : made
      },
    }
  })
}

async function fromStored(
  source: BundleSource,
  sha256: Sha256,
  name: string,
  make: (stored: string) => string,
): Promise<Result<string, ExportFailure>> {
  const stored = await verifiedText(source, { name, sha256 })
  return stored.ok ? ok(make(stored.value)) : stored
}

/** Only media that the export changes are in the layout's list of them. */
async function writtenText(
  { source, layout, urlsByKey }: TextSource,
  file: Layout['written'][number],
): Promise<Result<string, ExportFailure>> {
  const urls = urlsByKey.get(writtenKey(file)) ?? []
  const pathOf = (url: string): string | null => layout.pathByUrl.get(url) ?? null
  if (writtenKind(file.name) === 'sheet')
    return fromStored(source, file.sha256, file.name, (stored) => withLocalPaths('sheet', stored, urls, pathOf))
  const stored = await verifiedBytes(source, { name: file.name, sha256: file.sha256 })
  if (!stored.ok) return stored
  const drawing = writtenDrawing(stored.value, urls, pathOf)
  return ok(drawing.kind === 'text' ? drawing.text : '')
}

/** A text without a stored part. */
const whole = (made: Result<string, ExportFailure>): Result<MadeText, ExportFailure> =>
  made.ok ? ok({ text: made.value, part: null, words: null }) : made

const ofTheme = <Value>(made: Result<Value, ThemeProblem>): Result<Value, ExportFailure> =>
  made.ok ? made : fail(invalidTheme(made.failure))

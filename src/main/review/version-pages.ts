import { randomBytes } from 'node:crypto'
import type { DamagedText, IndexReads, StoredText, Vault } from '@galley/library'
import type { ExportFailure, MediaFile, VersionRef } from '@galley/library/records'
import type { Background } from '@galley/platform'
import type { PageInTheme, PageInThemeInput } from '@galley/sites'
import { pageAlone } from '@galley/sites/bundle'
import {
  archiveLimits,
  createAddressReader,
  currentFontsCssPath,
  fail,
  isStyleSheet,
  mediaType,
  ok,
} from '@galley/wire'
import type { Result, Sha256, SiteId } from '@galley/wire'

import type { ShownPage } from '../../ipc/review-window.ts'
import type { ReviewJobs } from './jobs.ts'
import { reviewScheme } from './review-scheme.ts'

/** A file of a shown page: a generated text, a file of a theme, or a blob of the library. */
export type PageFile =
  | { readonly kind: 'text'; readonly text: string; readonly type: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly type: string }
  | { readonly kind: 'blob'; readonly name: string; readonly sha256: Sha256; readonly type: string }

/** A version prepared for display. It can load only `files`, by id. */
export interface VersionPage {
  /** `galley-review://<key>`. The key is random, so that no page can address the files of another one. */
  readonly origin: string
  readonly url: string
  readonly files: ReadonlyMap<string, PageFile>
  readonly shown: ShownPage
}

export type PageFailure = DamagedText | ThemeFailure | { readonly code: 'unknown_version' }

/** Renders a prepared version of a page inside the theme of its site. */
export type RenderInTheme = (
  version: VersionRef,
  page: Pick<PageInThemeInput, 'html' | 'mark'>,
) => Promise<Result<PageInTheme, ThemeFailure>>
type ThemeFailure = ExportFailure | { readonly code: 'unknown_material' } | { readonly code: 'unknown_version' }

const pageId = 'page'

/** Creates pages from stored versions. @param render Renders those inside a theme; null: all are shown alone */
export function createVersionPages(
  index: IndexReads,
  vault: Vault,
  background: Background<ReviewJobs>,
  render: RenderInTheme | null = null,
) {
  async function stored(sha256: Sha256): Promise<StoredText> {
    const place = index.blobs.find(sha256)
    if (!place) throw new Error('A version names a text that the index does not')
    return { sha256, ...(await vault.locate(place)) }
  }

  /**
   * The files that a page of this version may load: its own, those of the current fonts, and files of earlier saves and font
   * sets that it or its style sheets still name.
   */
  function filesFor({ site, materialId, versionId }: VersionRef, named: readonly string[]) {
    const fonts = index.snapshots.newest(site)
    const media = index.versions.media(site, materialId, versionId)
    const earlier = named.flatMap((url) => earlierFile(index, site, url) ?? [])
    return { fonts, media: [...media, ...earlier, ...(fonts?.fontFiles ?? [])] satisfies readonly MediaFile[] }
  }

  async function make(ref: VersionRef, named: readonly string[], isInTheme: boolean) {
    const parts = index.versions.parts(ref.site, ref.materialId, ref.versionId)
    if (!parts) return fail({ code: 'unknown_version' } as const)
    const { fonts, media } = filesFor(ref, named)
    const publicBases = index.versions.publicBases(ref.site)
    const origin = `${reviewScheme}://${randomBytes(16).toString('hex')}`
    const files = new Map<string, PageFile>()
    const sheets: { readonly id: string; readonly place: StoredText }[] = []
    const targets: (readonly [string, string])[] = []
    const names: (readonly [string, string])[] = []
    for (const { sha256, name, url, sizeBytes } of media) {
      // Chromium decides by the extension how it shows a picture in an `object`.
      const id = `file-${files.size + 1}${/\.[a-z0-9]{1,10}$/i.exec(name)?.[0].toLowerCase() ?? ''}`
      files.set(id, { kind: 'blob', name, sha256, type: mediaType(name) })
      targets.push([url, `${origin}/${id}`])
      names.push([`${origin}/${id}`, name])
      if (isStyleSheet(name) && sizeBytes <= archiveLimits.textBytes) sheets.push({ id, place: await stored(sha256) })
    }
    const cssUrls = fonts ? [fonts.cssUrl, ...publicBases.map((base) => base + currentFontsCssPath(fonts.site))] : []
    targets.push(...cssUrls.map((url) => [url, `${origin}/fonts`] as const))

    const css = fonts && (await stored(fonts.css))
    const html = await stored(parts.html)
    const places = sheets.map(({ place }) => place)
    const job = { html, css, sheets: places, targets, origin, names, publicBases }
    const prepared = await background.run('reviewPage', job)
    if (!prepared.ok) return prepared
    const { css: fontsCss, missing, unshown, hasScripts } = prepared.value
    const fontsUrl = fontsCss === null ? null : `${origin}/fonts`
    const settings = index.pages.find(ref.site, ref.materialId)?.settings
    const language = settings?.language ?? prepared.value.language ?? index.publishing.of(ref.site).language
    const themed = isInTheme && render !== null ? await inTheme(render, ref, prepared.value.html, origin) : null
    if (themed?.ok === false) return themed
    const { document, id, more } = themed?.value ?? {
      document: pageAlone(prepared.value.html, language, fontsUrl),
      id: pageId,
      more: [],
    }
    for (const [path, file] of more) files.set(path, file)
    files.set(id, { kind: 'text', text: document, type: 'text/html; charset=utf-8' })
    const fontsIds = fontsCss === null ? [] : ['fonts', ...(themed === null ? [] : [themed.value.fontsId])]
    for (const each of fontsIds) files.set(each, { kind: 'text', text: fontsCss ?? '', type: styleType })
    for (const [at, sheet] of sheets.entries()) {
      const text = prepared.value.sheets[at] ?? null
      if (text !== null) files.set(sheet.id, { kind: 'text', text, type: styleType })
    }
    const url = `${origin}/${id}`
    return ok({ page: { origin, url, files, shown: { unshown, hasScripts } }, named: missing })
  }

  return {
    stored,
    /** @param isInTheme As it would be published; otherwise alone */
    async make(ref: VersionRef, isInTheme = false): Promise<Result<VersionPage, PageFailure>> {
      const known = new Set<string>()
      for (;;) {
        const made = await make(ref, [...known], isInTheme)
        if (!made.ok) return made
        // A page may use files of earlier saves; they are looked up only then. Those may be style sheets that name others.
        const more = made.value.named.filter((url) => !known.has(url) && earlierFile(index, ref.site, url) !== null)
        if (more.length === 0) return ok(made.value.page)
        for (const url of more) known.add(url)
      }
    },
  }
}

/** A file of an earlier save or font set of the site, under the address that a page has for it. */
function earlierFile(index: IndexReads, site: SiteId, url: string): MediaFile | null {
  const plain = createAddressReader(index.versions.publicBases(site))(url) ?? url
  const file = index.versions.mediaOfSite(site, plain) ?? index.snapshots.fileAt(site, plain)
  return file && { ...file, url }
}

/** The page inside its theme, with the files that it may load besides its own. */
async function inTheme(render: RenderInTheme, ref: VersionRef, stored: string, origin: string) {
  const made = await render(ref, { html: stored, mark: new URL(origin).host })
  if (!made.ok) return made
  const { html, path, fontsPath, assets, blobs } = made.value
  const more = [
    ...assets.map(({ path, name, bytes }) => [path, { kind: 'bytes', bytes, type: mediaType(name) }] as const),
    ...blobs.map(({ path, name, sha256 }) => [path, { kind: 'blob', name, sha256, type: mediaType(name) }] as const),
  ]
  return ok({
    document: html,
    id: encodeURI(path),
    fontsId: encodeURI(fontsPath),
    more: more.map(([path, file]): readonly [string, PageFile] => [encodeURI(path), file]),
  })
}

const styleType = mediaType('fonts.css')

export type VersionPages = ReturnType<typeof createVersionPages>

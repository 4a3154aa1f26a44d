import { randomBytes } from 'node:crypto'

import type { Sha256 } from '../../../contract/ids.ts'
import { mediaType } from '../../../contract/domain/media-types.ts'
import { currentFontsCssPath } from '../../../contract/protocol/public-url.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import { reviewScheme } from '../../../contract/ipc/review-scheme.ts'
import type { VersionRef } from '../../../contract/ipc/thumbnail-url.ts'
import type { MediaFile } from '../../../contract/domain/version.ts'
import type { Background } from '../../platform/threads/background.ts'
import type { Index } from '../../library/db/library-index.ts'
import type { Vault } from '../../library/vault/vault.ts'
import type { DamagedText, StoredText, ReviewJobs } from './jobs.ts'

/** What lies at one id of a page: a text made for it, or a blob of the library. */
export type PageFile =
  | { readonly kind: 'text'; readonly text: string; readonly type: string }
  | { readonly kind: 'blob'; readonly name: string; readonly sha256: Sha256; readonly type: string }

/** A version ready to be shown. Everything it may load is in `files`, by id; there is nothing else. */
export interface VersionPage {
  /** `galley-review://<key>`; the key is random, so that no page can name what belongs to another showing. */
  readonly origin: string
  readonly url: string
  readonly files: ReadonlyMap<string, PageFile>
  /** Addresses of this site, and placeholders, that the page names and the library has no file for. */
  readonly missing: readonly string[]
}

export type PageFailure = DamagedText | { readonly kind: 'unknown_version' }

const pageId = 'page'

/** Makes pages out of stored versions. */
export function createVersionPages(index: Index, vault: Vault, background: Background<ReviewJobs>) {
  function stored(sha256: Sha256): StoredText {
    const place = index.blobs.find(sha256)
    if (!place) throw new Error('A version names a text that the index does not')
    return { sha256, ...vault.locate(place) }
  }

  /** The files a page of this version may show: its own, those of the current fonts, and earlier ones it still names. */
  function filesFor({ site, materialId, versionId }: VersionRef, named: readonly string[]) {
    const fonts = index.snapshots.newest(site)
    const media = index.versions.media(site, materialId, versionId)
    const earlier = named.flatMap((url) => index.versions.mediaOfSite(site, url) ?? [])
    return { fonts, media: [...media, ...earlier, ...(fonts?.fontFiles ?? [])] satisfies readonly MediaFile[] }
  }

  async function make(ref: VersionRef, named: readonly string[]): Promise<Result<VersionPage, PageFailure>> {
    const parts = index.versions.parts(ref.site, ref.materialId, ref.versionId)
    if (!parts) return fail({ kind: 'unknown_version' })
    const { fonts, media } = filesFor(ref, named)
    const publicBases = index.versions.publicBases(ref.site)
    const origin = `${reviewScheme}://${randomBytes(16).toString('hex')}`
    const files = new Map<string, PageFile>()
    const targets: (readonly [string, string])[] = media.map(({ sha256, name, url }) => {
      const id = `file-${files.size + 1}`
      files.set(id, { kind: 'blob', name, sha256, type: mediaType(name) })
      return [url, `${origin}/${id}`]
    })
    const cssUrls = fonts ? [fonts.cssUrl, ...publicBases.map((base) => base + currentFontsCssPath(fonts.site))] : []
    targets.push(...cssUrls.map((url) => [url, `${origin}/fonts`] as const))

    const css = fonts && stored(fonts.css)
    const prepared = await background.run('reviewPage', { html: stored(parts.html), css, targets, publicBases })
    if (!prepared.ok) return prepared
    const { html, css: fontsCss, missing } = prepared.value
    const fontsUrl = fontsCss === null ? null : `${origin}/fonts`
    files.set(pageId, { kind: 'text', text: asExported(html, fontsUrl), type: 'text/html; charset=utf-8' })
    if (fontsCss !== null) files.set('fonts', { kind: 'text', text: fontsCss, type: mediaType('fonts.css') })
    return ok({ origin, url: `${origin}/${pageId}`, files, missing })
  }

  return {
    stored,
    async make(ref: VersionRef): Promise<Result<VersionPage, PageFailure>> {
      const page = await make(ref, [])
      // A page may name files that came with an earlier save; they are looked up only when it does.
      const isMore = page.ok && page.value.missing.some((url) => index.versions.mediaOfSite(ref.site, url))
      return isMore ? make(ref, page.value.missing) : page
    },
  }
}

export type VersionPages = ReturnType<typeof createVersionPages>

const doctype = /^(?:\s|<!--[^]*?-->)*<!doctype\b[^>]*>/i

/**
 * A stored page as a browser gets it from an export: in standards mode, since a page without a doctype is meant for a site's
 * template, which has one, and with the fonts of the site, which the template links before anything of the page.
 */
function asExported(html: string, fontsUrl: string | null): string {
  const [start = ''] = doctype.exec(html) ?? []
  const fonts = fontsUrl === null ? '' : `<link rel="stylesheet" href="${fontsUrl}">`
  return `${start || '<!doctype html>\n'}${fonts}${html.slice(start.length)}`
}

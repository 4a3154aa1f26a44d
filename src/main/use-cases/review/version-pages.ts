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

/** A file of a shown page: a generated text, or a blob of the library. */
export type PageFile =
  | { readonly kind: 'text'; readonly text: string; readonly type: string }
  | { readonly kind: 'blob'; readonly name: string; readonly sha256: Sha256; readonly type: string }

/** A version prepared for display. It can load only `files`, by id. */
export interface VersionPage {
  /** `galley-review://<key>`. The key is random, so that no page can address the files of another one. */
  readonly origin: string
  readonly url: string
  readonly files: ReadonlyMap<string, PageFile>
  /** URLs of this site, and placeholders, that the page uses but the library has no file for. */
  readonly missing: readonly string[]
}

export type PageFailure = DamagedText | { readonly kind: 'unknown_version' }

const pageId = 'page'

/** Creates pages from stored versions. */
export function createVersionPages(index: Index, vault: Vault, background: Background<ReviewJobs>) {
  async function stored(sha256: Sha256): Promise<StoredText> {
    const place = index.blobs.find(sha256)
    if (!place) throw new Error('A version names a text that the index does not')
    return { sha256, ...(await vault.locate(place)) }
  }

  /**
   * The files that a page of this version may load: its own, those of the current fonts, and earlier ones that it still
   * uses.
   */
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

    const css = fonts && (await stored(fonts.css))
    const prepared = await background.run('reviewPage', { html: await stored(parts.html), css, targets, publicBases })
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
      // A page may use files of earlier saves; they are looked up only then.
      const isMore = page.ok && page.value.missing.some((url) => index.versions.mediaOfSite(ref.site, url))
      return isMore ? make(ref, page.value.missing) : page
    },
  }
}

export type VersionPages = ReturnType<typeof createVersionPages>

const doctype = /^(?:\s|<!--[^]*?-->)*<!doctype\b[^>]*>/i

/**
 * Completes a stored page like an export: adds a doctype, because a page without one is meant for a site's template that has
 * one, and first links the fonts of the site, as the template does.
 */
function asExported(html: string, fontsUrl: string | null): string {
  const [start = ''] = doctype.exec(html) ?? []
  const fonts = fontsUrl === null ? '' : `<link rel="stylesheet" href="${fontsUrl}">`
  return `${start || '<!doctype html>\n'}${fonts}${html.slice(start.length)}`
}

import type { IndexReads, Vault } from '@galley/library'
import { publicBase } from '@galley/library/records'
import type { ExportFailure, Site, VersionRow } from '@galley/library/records'
import type { MaterialId, Result, Sha256, VersionId } from '@galley/wire'
import {
  archiveLimits,
  createAddressReader,
  currentFontsCssPath,
  fail,
  fontsCssName,
  isStyleSheet,
  ok,
  storedMediaType,
  typeBytes,
} from '@galley/wire'

import { ownUrlsIn, ownUrlsInCss } from '../bundle/own-urls.ts'
import { blobsOf } from '../exporting/library-source.ts'
import type { BundleSource } from '../exporting/source.ts'
import { verifiedBlob, verifiedBytes } from '../exporting/verified-blob.ts'

export interface CopyPorts {
  readonly index: IndexReads
  readonly vault: Vault
}

/** A stored file that a page shows, at the address that the page names. */
export interface CopiedFile {
  /** Absolute, as a browser resolves it. */
  readonly url: string
  /** Its name at the save. */
  readonly name: string
  readonly sha256: Sha256
  readonly sizeBytes: number
  /** As in `content-type`. */
  readonly type: string
}

/** A version with all files of the library that its page shows, for readers without a library. */
export interface VersionCopy extends Pick<BundleSource, 'openBlob'> {
  readonly version: VersionRow
  /** The page as it was saved. */
  readonly html: Buffer
  readonly htmlSha256: Sha256
  readonly stateSha256: Sha256
  readonly archiveSha256: Sha256
  /** In the order of their addresses, each address once. */
  readonly files: readonly CopiedFile[]
  /** The address of the site's current fonts, which is among `files`; null without fonts. */
  readonly fontsUrl: string | null
}

export type CopyFailure = ExportFailure | { readonly code: 'unknown_version'; readonly versionId: string }

/**
 * Collects a version with the files of its save, and those of earlier saves that its page, style sheets and drawings name.
 * Files that are named and not stored are left out, as the review shows the page without them.
 */
export async function copyVersion(
  { index, vault }: CopyPorts,
  site: Site,
  { materialId, versionId }: { readonly materialId: MaterialId; readonly versionId: VersionId },
): Promise<Result<VersionCopy, CopyFailure>> {
  const version = index.versionList.find(site.id, materialId, versionId)
  const stored = index.versions.find(site.id, materialId, versionId)
  const parts = index.versions.parts(site.id, materialId, versionId)
  if (version === null || stored === null || parts === null) return fail({ code: 'unknown_version', versionId })
  const source = blobsOf({ index, vault })
  const html = await verifiedBytes(source, { name: 'vms_html.html', sha256: parts.html })
  if (!html.ok) return html

  const publicBases = [...new Set([publicBase(site), ...index.versions.publicBases(site.id)])]
  const fonts = index.snapshots.newest(site.id)
  const cssUrls = fonts && [fonts.cssUrl, ...publicBases.map((base) => base + currentFontsCssPath(site.id))]
  const plain = createAddressReader(publicBases)
  const fileAt = (url: string) => {
    const address = plain(url) ?? url
    const css = fonts !== null && cssUrls?.includes(address) === true ? index.blobs.find(fonts.css) : null
    if (fonts !== null && css !== null) return { name: fontsCssName, sha256: fonts.css, sizeBytes: css.sizeBytes }
    return index.versions.mediaOfSite(site.id, address) ?? index.snapshots.fileAt(site.id, address)
  }

  const own = index.versions.media(site.id, materialId, versionId)
  const named = new Set([...own.map(({ url }) => url), ...ownUrlsIn(html.value.toString('utf8'), publicBases)])
  if (fonts !== null) named.add(fonts.cssUrl)
  const files = new Map<string, CopiedFile>()
  // Grows while it is read.
  for (const address of named) {
    const found = fileAt(address)
    const url = URL.canParse(address, publicBase(site)) ? new URL(address, publicBase(site)).href : null
    if (found === null || url === null || files.has(url)) continue
    const { name, sha256, sizeBytes } = found
    files.set(url, { url, name, sha256, sizeBytes, type: await typeOf(source, found) })
    if (!mayNameFiles(name) || sizeBytes > archiveLimits.textBytes) continue
    const bytes = await verifiedBytes(source, { name, sha256, sizeBytes })
    if (!bytes.ok) return bytes
    const text = bytes.value.toString('utf8')
    for (const next of isStyleSheet(name) ? ownUrlsInCss(text, publicBases) : ownUrlsIn(text, publicBases))
      named.add(next)
  }
  return ok({
    ...source,
    version,
    html: html.value,
    htmlSha256: parts.html,
    stateSha256: parts.state,
    archiveSha256: stored.archiveSha256,
    files: [...files.values()].toSorted((one, other) => (one.url < other.url ? -1 : 1)),
    fontsUrl: fonts?.cssUrl ?? null,
  })
}

/** Reads the files of a copy. `failure` is that of the first one that was not as it was saved. */
export function checkedFiles(copy: Pick<VersionCopy, 'openBlob'>) {
  let failure: ExportFailure | null = null
  return {
    async *bytesOf({ name, sha256, sizeBytes }: CopiedFile): AsyncIterable<Buffer> {
      const blob = verifiedBlob(copy, { name, sha256, sizeBytes })
      yield* blob.chunks
      failure ??= blob.failure()
    },
    failure: (): ExportFailure | null => failure,
  }
}

const mayNameFiles = (name: string): boolean => isStyleSheet(name) || /\.svg$/i.test(name)

/** The type by the name, or by the first bytes of a file whose name says none. */
const typeOf = (
  { openBlob }: Pick<BundleSource, 'openBlob'>,
  { name, sha256 }: Pick<CopiedFile, 'name' | 'sha256'>,
): Promise<string> =>
  storedMediaType(name, async () => {
    for await (const chunk of openBlob(sha256)) return chunk.subarray(0, typeBytes)
    return Buffer.alloc(0)
  })

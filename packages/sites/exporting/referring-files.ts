import { isUtf8 } from 'node:buffer'
import type { ExportFailure, MediaFile } from '@galley/library/records'
import { bundleFileName, bundlePath, contentToCheck, isTypeless, startsAsPage } from '@galley/library/records'
import { sha256Of } from '@galley/platform'
import { archiveLimits, extensionByBytes, fail, fontsCssName, ok } from '@galley/wire'
import type { Result, Sha256 } from '@galley/wire'

import type { LayoutInput } from '../bundle/layout.ts'
import { ownUrlsIn, ownUrlsInCss } from '../bundle/own-urls.ts'
import { withLocalPaths } from '../bundle/render/local-paths.ts'
import { isPassiveXml } from '../bundle/svg.ts'
import type { WrittenKind } from '../bundle/written-file.ts'
import { writtenKey, writtenKind } from '../bundle/written-file.ts'
import type { BundleSource } from './source.ts'
import { svgText, writtenDrawing, xmlMaxBytes } from './svg-text.ts'
import { verifiedBlob, verifiedBytes, verifiedText } from './verified-blob.ts'

/** The media of a bundle. `further` grows by the files that others refer to. */
export interface BundleMedia {
  readonly own: readonly MediaFile[]
  readonly further: readonly MediaFile[]
  readonly fonts: readonly MediaFile[]
  /** All URLs of the CSS of the fonts. */
  readonly fontsCssUrls: ReadonlySet<string>
}

/** A drawing or a style sheet that refers to files of the library. */
interface ReferringFile {
  readonly file: MediaFile
  readonly kind: WrittenKind
  readonly urls: readonly string[]
}

/** Which media the export changes, and the URLs of the library's files in them, both by key. */
export interface ReferringFiles extends Pick<LayoutInput, 'activeFiles' | 'extensions' | 'written'> {
  readonly urlsByKey: ReadonlyMap<string, readonly string[]>
}

/**
 * Finds the files that the style sheets and drawings of a bundle refer to, reports them to `add`, and determines the
 * text to write for each. The name of a written file contains the hash of its text, so referenced files come first.
 */
export async function readReferringFiles(
  source: BundleSource,
  media: BundleMedia,
  add: (urls: readonly string[]) => Promise<void>,
): Promise<Result<ReferringFiles, ExportFailure>> {
  if (source.fonts !== null) {
    const css = await verifiedText(source, { name: fontsCssName, sha256: source.fonts.css })
    if (!css.ok) return css
    await add(ownUrlsInCss(css.value, source.site.publicBases))
  }
  const activeFiles = new Set<Sha256>()
  const extensions = new Map<Sha256, string>()
  const written = new Map<string, Sha256>()
  const decided = { activeFiles, extensions, written }
  const found = await findReferring(source, media, add, decided)
  if (!found.ok) return found
  const pathOf = pathsIn(media, decided)
  const urlsByKey = new Map(found.value.map(({ file, urls }) => [writtenKey(file), urls]))
  const shaByUrl = new Map([...media.own, ...media.further, ...media.fonts].map(({ url, sha256 }) => [url, sha256]))
  for (let open = new Set(found.value); open.size > 0;) {
    const waiting = new Set<Sha256 | undefined>([...open].map(({ file }) => file.sha256))
    const ready = [...open].filter(({ urls }) => !urls.some((url) => waiting.has(shaByUrl.get(url))))
    // URLs contain the hash of their target, so files cannot refer to each other in a cycle.
    for (const referring of ready.length > 0 ? ready : open) {
      const done = await decide(source, referring, pathOf, decided)
      if (!done.ok) return done
      open.delete(referring)
    }
  }
  return ok({ ...decided, urlsByKey })
}

interface Decided {
  readonly activeFiles: Set<Sha256>
  readonly extensions: Map<Sha256, string>
  readonly written: Map<string, Sha256>
}

/** The style sheets and drawings that refer to files. All others are decided at once. */
async function findReferring(
  source: BundleSource,
  { own, further, fonts }: BundleMedia,
  add: (urls: readonly string[]) => Promise<void>,
  decided: Decided,
): Promise<Result<readonly ReferringFile[], ExportFailure>> {
  const { publicBases } = source.site
  const referring: ReferringFile[] = []
  const seen = new Set<string>()
  // The list of further media grows meanwhile.
  for (const files of [own, fonts, further]) {
    for (const file of files) {
      const { name, sha256, sizeBytes } = file
      const kind = files === fonts && writtenKind(name) === 'sheet' ? null : writtenKind(name)
      const check = contentToCheck(name)
      if (isTypeless(name) && !decided.extensions.has(sha256)) {
        const extension = extensionByBytes(await startOf(source, sha256))
        if (extension !== null) decided.extensions.set(sha256, extension)
      }
      const key = `${writtenKey(file)} ${check ?? ''}`
      if ((kind === null && check === null) || seen.has(key)) continue
      seen.add(key)
      if (check === 'unnamed' && !startsAsMarkup(await startOf(source, sha256))) continue
      if (sizeBytes > (kind === 'sheet' ? archiveLimits.textBytes : xmlMaxBytes)) {
        if (kind !== 'sheet') decided.activeFiles.add(sha256)
        continue
      }
      const bytes = await verifiedBytes(source, { name, sha256 })
      if (!bytes.ok) return fail(bytes.failure)
      if (kind === null) {
        const text = new TextDecoder().decode(bytes.value)
        if (!isPassiveXml(text) || (check === 'unnamed' && startsAsPage(text))) decided.activeFiles.add(sha256)
        continue
      }
      const urls = urlsIn(kind, bytes.value, publicBases)
      await add(urls)
      if (urls.length > 0) referring.push({ file, kind, urls })
      else if (kind === 'drawing')
        note(
          file,
          writtenDrawing(bytes.value, [], () => null),
          decided,
        )
    }
  }
  return ok(referring)
}

/** Whether the first piece of a file starts like HTML or XML. */
const startsAsMarkup = (start: Uint8Array): boolean => /^[\t\n\f\r ]*</.test(new TextDecoder().decode(start))

/** The first piece of a file. One that cannot be read is reported when it is written. */
async function startOf(source: BundleSource, sha256: Sha256): Promise<Uint8Array> {
  for await (const chunk of verifiedBlob(source, { name: '', sha256 }).chunks) return chunk.subarray(0, 1500)
  return new Uint8Array()
}

function urlsIn(kind: WrittenKind, bytes: Buffer, publicBases: readonly string[]): readonly string[] {
  if (kind === 'drawing') return ownUrlsIn(svgText(bytes), publicBases)
  // In another encoding, a rewritten text would not be the same text.
  return isUtf8(bytes) ? ownUrlsInCss(bytes.toString('utf8'), publicBases) : []
}

/** The path of a URL in the bundle, as the layout places it; null if it is none of the bundle's. */
function pathsIn(
  { own, further, fonts, fontsCssUrls }: BundleMedia,
  { activeFiles, extensions, written }: Decided,
): (url: string) => string | null {
  const files = new Map<string, { readonly folder: string; readonly file: MediaFile }>()
  for (const file of [...further, ...own]) files.set(file.url, { folder: 'media', file })
  for (const file of fonts) files.set(file.url, { folder: 'fonts', file })
  return (url) => {
    if (fontsCssUrls.has(url)) return bundlePath.fontsCss
    const { folder, file } = files.get(url) ?? {}
    if (file === undefined) return null
    const { fileName } = bundleFileName(
      written.get(writtenKey(file)) ?? file.sha256,
      file.name,
      activeFiles.has(file.sha256),
      extensions.get(file.sha256),
    )
    return `${folder}/${fileName}`
  }
}

async function decide(
  source: BundleSource,
  { file, kind, urls }: ReferringFile,
  pathOf: (url: string) => string | null,
  decided: Decided,
): Promise<Result<null, ExportFailure>> {
  const bytes = await verifiedBytes(source, { name: file.name, sha256: file.sha256 })
  if (!bytes.ok) return bytes
  if (kind === 'drawing') note(file, writtenDrawing(bytes.value, urls, pathOf), decided)
  else {
    const stored = sheetText(bytes.value)
    const text = withLocalPaths(kind, stored, urls, pathOf)
    if (text !== stored) decided.written.set(writtenKey(file), sha256Of(text))
  }
  return ok(null)
}

/** Without its byte order mark, as `verifiedText`. */
const sheetText = (bytes: Buffer): string => new TextDecoder().decode(bytes)

function note(file: MediaFile, drawing: ReturnType<typeof writtenDrawing>, { activeFiles, written }: Decided): void {
  if (drawing.kind === 'active') activeFiles.add(file.sha256)
  else if (drawing.kind === 'text') written.set(writtenKey(file), sha256Of(drawing.text))
}

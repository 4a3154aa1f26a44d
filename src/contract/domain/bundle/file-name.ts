import type { Sha256 } from '../../ids.ts'
import { hashStart } from '../../protocol/public-url.ts'
import { plainName } from './slug.ts'

/**
 * Extensions that browsers show or play without running their content, or that do nothing unless a page loads them. Other
 * types (HTML, XHTML, PHP, server settings, unknown types) could run with the rights of the whole site on a web server, so
 * the bundle keeps them as inert downloads. The same applies to XML that can run scripts.
 */
const passive = new Set(
  (
    'png apng jpg jpeg gif webp avif jxl bmp ico tif tiff heic heif svg mp4 m4v mkv webm ogv mov avi 3gp m3u8 ts mp3 m4a aac ' +
    'wav aiff ogg oga opus flac vtt srt woff woff2 ttf otf eot pdf txt rtf csv tsv ics vcf json geojson webmanifest xml gpx kml ' +
    'kmz lottie riv glb gltf usdz wasm css js mjs ' +
    'zip gz tar 7z rar doc docx odt xls xlsx ods ppt pptx odp epub mobi'
  ).split(' '),
)

const rasterImage = /\.(?:png|jpe?g|webp|gif|avif)$/

/** Whether a file with this name can be the preview picture of a page. */
export const isRasterImage = (path: string): boolean => rasterImage.test(path)

export interface BundleFileName {
  readonly fileName: string
  /** True if the extension was replaced so that no browser or server runs the file. */
  readonly inert: boolean
}

/**
 * The name of a stored file in a bundle: the first 32 hex digits of its hash, as in its public URL, a readable part and one
 * extension. Files with other bytes or another readable part have other names, and all names are safe on every system. The
 * single dot keeps servers from interpreting an inner extension, as in `x.php.png`.
 */
export function bundleFileName(sha256: Sha256, name: string, mayRun: boolean): BundleFileName {
  const last = name.split('/').at(-1) ?? ''
  const ending = /\.([A-Za-z0-9]{1,11})$/.exec(last)?.[1]?.toLowerCase() ?? ''
  const inert = mayRun || !passive.has(ending)
  const stem = plainName(inert ? name : name.slice(0, -ending.length - 1), 40)
  const readable = stem === '' ? '' : `-${stem}`
  return { fileName: `${hashStart(sha256)}${readable}.${inert ? 'bin' : ending}`, inert }
}

/** Whether a path in a bundle ends in such a name: other content would have another one. */
export const hasBundleFileName = (path: string): boolean => /^(?:media|fonts)\/[0-9a-f]{32}[-.]/.test(path)

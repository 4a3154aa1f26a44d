import type { Sha256 } from '../../ids.ts'
import { plainName } from './slug.ts'

/**
 * Endings that browsers show or play without running what is inside, or that do nothing unless a page asks for them.
 * Everything else (HTML, XHTML, PHP, server settings, what is not known) would speak for the whole site once it lies on
 * a web server, and is kept as an inert download; so is XML with content that runs.
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

/** Whether a file of this name can stand as the picture of a page elsewhere. */
export const isRasterImage = (path: string): boolean => rasterImage.test(path)

export interface BundleFileName {
  readonly fileName: string
  /** True when the type was taken from it, so that no browser or server runs it. */
  readonly inert: boolean
}

/**
 * The name of a stored file in a bundle: the first 32 hex digits of its hash, as in its public URL, a readable part and
 * one ending. Names differ wherever bytes or readable parts do, and are safe on every system; the one dot keeps servers
 * from acting on an inner ending, as in `x.php.png`.
 */
export function bundleFileName(sha256: Sha256, name: string, mayRun: boolean): BundleFileName {
  const last = name.split('/').at(-1) ?? ''
  const ending = /\.([A-Za-z0-9]{1,11})$/.exec(last)?.[1]?.toLowerCase() ?? ''
  const inert = mayRun || !passive.has(ending)
  const stem = plainName(inert ? name : name.slice(0, -ending.length - 1), 40)
  const readable = stem === '' ? '' : `-${stem}`
  return { fileName: `${sha256.slice(0, 32)}${readable}.${inert ? 'bin' : ending}`, inert }
}

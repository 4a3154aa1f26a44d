import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sha256 } from '@galley/wire'

/** The folder of the pictures that the app makes of pages, in that of the library. */
export const thumbnailFolder = (library: string): string => join(library, 'thumbnails')

/** The file of a page's picture, as it looks with the style sheet of these fonts. */
export const thumbnailName = (html: Sha256, fontsCss: Sha256 | null): string =>
  `${[html, ...(fontsCss === null ? [] : [fontsCss.slice(0, 16)])].join('-')}.png`

/** A picture as PNG that the app has made of a page; null: it has made none, or has deleted it. */
export const keptThumbnail = (library: string, html: Sha256, fontsCss: Sha256 | null): Promise<Buffer | null> =>
  readFile(join(thumbnailFolder(library), thumbnailName(html, fontsCss))).catch(() => null)

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sha256 } from '@galley/wire'
import { z } from 'zod'

/** The folder of the pictures that the app makes of pages, in that of the library. All of them can be deleted at any time. */
export const thumbnailFolder = (library: string): string => join(library, 'thumbnails')

/** A page, as it looks with the style sheet of these fonts. */
interface PictureOf {
  readonly html: Sha256
  readonly fontsCss: Sha256 | null
}

const baseName = ({ html, fontsCss }: PictureOf): string =>
  [html, ...(fontsCss === null ? [] : [fontsCss.slice(0, 16)])].join('-')

/** The file of a page's thumbnail. */
export const thumbnailName = (of: PictureOf): string => `${baseName(of)}.png`
/** The file with pictures of all of a page. */
export const wholePageName = (of: PictureOf): string => `${baseName(of)}.json`

const wholePage = z.object({
  /** JPEGs of one width that lie below each other, in base64. */
  slices: z.array(z.string()).min(1),
  /** Whether the page is longer than its pictures. */
  isCut: z.boolean(),
})
/** Pictures of all of a page, small enough for a report. */
export type WholePage = Readonly<z.output<typeof wholePage>>

/** The pictures of a page that the app has made; null: it has made none, or has deleted them. */
export async function keptWholePage(library: string, of: PictureOf): Promise<WholePage | null> {
  try {
    return wholePage.parse(JSON.parse(await readFile(join(thumbnailFolder(library), wholePageName(of)), 'utf8')))
  } catch {
    return null
  }
}

/** Keeps a picture of a page in its file. Rejects if the disk does not take it. */
export async function keepPicture(library: string, name: string, content: Uint8Array | string): Promise<void> {
  await mkdir(thumbnailFolder(library), { recursive: true, mode: 0o700 })
  const file = join(thumbnailFolder(library), name)
  await writeFile(`${file}.new`, content, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

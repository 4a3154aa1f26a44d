import type { BlobLocation, JobContext } from '@galley/platform'
import { readBlob } from '@galley/platform'
import { cssBlocks, fontFaces, namedFamilies, scanHtml, shorthandFamilies } from '@galley/wire'

import type { PageFonts } from '../db/font-set/page-fonts.ts'
import { askedFaces } from '../records/asked-faces.ts'

/** The families that the CSS of a page uses, and those that its own `@font-face` rules declare, without duplicates. */
export function pageFamilies(html: string): { readonly families: readonly string[]; readonly own: readonly string[] } {
  const families = new Set<string>()
  const own = new Set<string>()
  const read = (css: string): void => {
    for (const { family } of fontFaces(css)) own.add(family)
    for (const { prelude, declarations } of cssBlocks(css)) {
      if (/@font-face$/i.test(prelude)) continue
      for (const { name, value } of declarations) {
        // A custom property may also contain families, which are listed where its value is set.
        if (name === 'font-family' || (name.startsWith('--') && /font|family/.test(name))) addAll(value)
        else if (name === 'font') addAll(shorthandFamilies(value))
      }
    }
  }
  const addAll = (value: string): void => {
    for (const family of namedFamilies(value)) families.add(family)
  }
  scanHtml(html, {
    attribute({ name, start, end }) {
      const value = html.slice(start, end)
      if (name === 'style') read(unescaped(value))
      else if (name === 'font-family') addAll(unescaped(value))
    },
    rawText({ element, start, end }) {
      if (element === 'style') read(html.slice(start, end))
    },
  })
  return { families: [...families], own: [...own] }
}

const entities: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&amp;': '&',
}
/** Only the character references for quotes occur in family names. */
const unescaped = (value: string): string =>
  value.replaceAll(/&(?:quot|#34|#39|apos|amp);/g, (name) => entities[name] ?? name)

/** The jobs of a background thread for font sets. */
export interface FontJobs {
  pageFamilies: { input: readonly BlobLocation[]; output: readonly PageFonts[] }
}

/** Reads the pages in sequence. Can be cancelled between two pages. */
export async function readFamilies(
  pages: FontJobs['pageFamilies']['input'],
  { signal, progress }: JobContext,
): Promise<readonly PageFonts[]> {
  const read: PageFonts[] = []
  for (const page of pages) {
    signal.throwIfAborted()
    const html = new TextDecoder().decode(await readBlob(page))
    read.push({ ...pageFamilies(html), asked: askedFaces(html) })
    progress({ step: 'reading', done: read.length, total: pages.length, unit: 'pages' })
  }
  return read
}

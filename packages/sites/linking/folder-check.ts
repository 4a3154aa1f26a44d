import { constants } from 'node:fs'
import { open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { LinkReport } from '@galley/library/records'
import { compare } from '@galley/library/records'

import { createLinkCheck, createLinkCount } from '../bundle/link-check.ts'
import type { OutsideLink } from '../bundle/reference-check.ts'

/** Pages are smaller. Of larger files, only the name is used. */
const maxBytes = 16 * 1024 ** 2

export interface FolderReport extends LinkReport {
  readonly pages: number
  /** Pages and style sheets that are too large to be read. */
  readonly skipped: readonly string[]
}

export interface FolderCheck {
  readonly baseUrl: string | null
  readonly onOutside?: (link: OutsideLink) => void
  readonly signal: AbortSignal
}

/** Checks the references in any folder of HTML files. Does not follow symbolic links. */
export async function checkFolder(folder: string, { baseUrl, onOutside, signal }: FolderCheck): Promise<FolderReport> {
  const paths = new Set<string>()
  for await (const path of filesIn(folder)) {
    signal.throwIfAborted()
    paths.add(path)
  }
  const scope = { paths, inertPaths: new Set<string>(), baseUrl, publicBases: [], isWebRoot: true }
  const check = createLinkCheck({ ...scope, ...(onOutside && { onOutside }) })
  const links = createLinkCount()
  const skipped: string[] = []
  let pages = 0
  for (const path of [...paths].filter(isChecked).toSorted(compare)) {
    signal.throwIfAborted()
    const text = await textAt(join(folder, path))
    if (text === null) {
      skipped.push(path)
      continue
    }
    if (!isStyleSheet(path)) pages++
    links.add(isStyleSheet(path) ? check.styleSheet(path, text) : check.page(path, text))
  }
  for (const path of check.awaitedPages()) {
    signal.throwIfAborted()
    const text = await textAt(join(folder, path))
    if (text !== null) links.add({ checked: 0, broken: check.anchors(path, check.contents(text)) })
  }
  return { pages, ...links.read(), skipped }
}

const isStyleSheet = (path: string): boolean => /\.css$/i.test(path)
const isChecked = (path: string): boolean => /\.(?:x?html?|css)$/i.test(path)

/**
 * The files below a folder, as paths with `/`. Skips version control and other hidden folders, which are not part of a
 * site.
 */
async function* filesIn(folder: string, prefix = ''): AsyncIterable<string> {
  for await (const entry of await opendir(join(folder, prefix))) {
    const path = `${prefix}${entry.name}`
    if (entry.isFile()) yield path
    else if (entry.isDirectory() && (!entry.name.startsWith('.') || entry.name === '.well-known'))
      yield* filesIn(folder, `${path}/`)
  }
}

/** A text, in the encoding that it declares; null: it is too large. */
async function textAt(path: string): Promise<string | null> {
  // The file may have been replaced by a link meanwhile.
  await using file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  if ((await file.stat()).size > maxBytes) return null
  const bytes = await file.readFile()
  const [, label = 'utf-8'] = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(bytes.toString('latin1', 0, 1024)) ?? []
  return decoded(bytes, label)
}

function decoded(bytes: Buffer, label: string): string {
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    // The page declares an unknown encoding.
    return new TextDecoder().decode(bytes)
  }
}

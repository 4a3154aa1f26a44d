import type { BlockPair, Comparison, HashOf, Page, Summary } from '@galley/compare'
import type { Result, Sha256 } from '@galley/wire'
import { fontFaces, ok } from '@galley/wire'

import type { DamagedText, StoredText } from '../vault/stored-text.ts'
import { readStoredText } from '../vault/stored-text.ts'
import type { ComparedVersions } from '../views/review.ts'

/** A version as a background thread compares it. */
export interface VersionToCompare {
  readonly html: StoredText
  /** The files at the addresses that the page may name. */
  readonly files: readonly (readonly [url: string, sha256: Sha256, sizeBytes: number])[]
  readonly state: Sha256
  readonly metadata: string | null
  /** The font set that the site had when the version arrived. */
  readonly fonts: Sha256 | null
}

export interface PagesToCompare {
  /** Null: all of the page is new. */
  readonly before: VersionToCompare | null
  readonly after: VersionToCompare
  /** Public addresses of the site begin with one of these. */
  readonly own: readonly string[]
  /** The style sheet of its font set; null: it has none. */
  readonly fontsCss: StoredText | null
}

/** What changed, its summary, and what a reader may trip over. */
interface ComparedPages extends Comparison {
  readonly checks: ComparedVersions['checks']
  readonly summary: Summary
  readonly isUnchanged: boolean
}

/** The jobs of a background thread that compare stored pages. */
export interface CompareJobs {
  comparePages: { input: PagesToCompare; output: Result<ComparedPages, DamagedText> }
  /** Only the sum of it. */
  summarizePages: { input: PagesToCompare; output: Result<Pick<ComparedPages, 'summary' | 'isUnchanged'>, DamagedText> }
  /** Which blocks belong together, to compare pictures of both pages. */
  pairBlocks: { input: PagesToCompare; output: Result<readonly BlockPair[], DamagedText> }
}

/** The page of a stored version. */
export async function readVersionPage(
  version: Pick<VersionToCompare, 'html' | 'files'>,
): Promise<Result<Page, DamagedText>> {
  // Imported on demand: the parser is much of the code of a thread that seldom compares.
  const { readPage } = await import('@galley/compare')
  const html = await readStoredText(version.html)
  return html.ok ? ok(readPage(html.value, hashesOf(version))) : html
}

async function readPages({ before, after }: PagesToCompare): Promise<Result<{ one: Page; other: Page }, DamagedText>> {
  const { readPage } = await import('@galley/compare')
  const one = before === null ? ok(readPage('', () => null)) : await readVersionPage(before)
  if (!one.ok) return one
  const other = await readVersionPage(after)
  return other.ok ? ok({ one: one.value, other: other.value }) : other
}

/** Pairs the blocks of two stored pages. */
export async function pairBlocks(pages: PagesToCompare): Promise<CompareJobs['pairBlocks']['output']> {
  const { blockPairs } = await import('@galley/compare')
  const read = await readPages(pages)
  return read.ok ? ok(blockPairs(read.value.one, read.value.other)) : read
}

/** Compares two stored pages, with what else belongs to their versions. */
export async function comparePages(pages: PagesToCompare): Promise<Result<ComparedPages, DamagedText>> {
  const { before, after } = pages
  // Imported on demand: the parser is much of the code of a thread that seldom compares.
  const { checksOf, compare, isUnchanged, metadataDiffers, newChecks, summaryOf } = await import('@galley/compare')
  const read = await readPages(pages)
  if (!read.ok) return read
  const { one, other } = read.value
  const comparison = compare(one, other, {
    state: before !== null && before.state !== after.state,
    fonts: before !== null && before.fonts !== after.fonts,
    metadata: before !== null && metadataDiffers(before.metadata, after.metadata),
  })
  const summary = summaryOf(comparison, other)
  const families = await familiesOf(pages.fontsCss)
  const isOwn = (address: string): boolean => pages.own.some((base) => isBelow(address, base))
  const checked = (page: Page, version: VersionToCompare | null) =>
    checksOf(page, { sizeOf: sizesOf(version), isOwn, families })
  const found = checked(other, after)
  const isNew = newChecks(checked(one, before), found)
  const checks = found.map((check, at) => ({ ...check, isNew: isNew[at] === true }))
  return ok({ ...comparison, summary, isUnchanged: isUnchanged(comparison), checks })
}

/** The sum of it: the thread would have to send the rest. */
export async function summarizePages(pages: PagesToCompare): Promise<CompareJobs['summarizePages']['output']> {
  const compared = await comparePages(pages)
  return compared.ok ? ok({ summary: compared.value.summary, isUnchanged: compared.value.isUnchanged }) : compared
}

/** Whether an address is a base or one below it. */
function isBelow(address: string, base: string): boolean {
  const start = base.replace(/\/$/, '')
  return address.startsWith(start) && /^(?:$|[/?#])/.test(address.slice(start.length))
}

/** The families of a font set, in lower case; null if there is none, or if it cannot be read. */
async function familiesOf(css: StoredText | null): Promise<ReadonlySet<string> | null> {
  const text = css && (await readStoredText(css))
  return text?.ok ? new Set(fontFaces(text.value).map(({ family }) => family.toLowerCase())) : null
}

function sizesOf(version: VersionToCompare | null): (address: string) => number | null {
  const sizes = new Map(version?.files.map(([url, , sizeBytes]) => [url, sizeBytes]))
  return (address) => sizes.get(address) ?? null
}

function hashesOf({ files }: Pick<VersionToCompare, 'files'>): HashOf {
  const hashes = new Map(files.map(([url, sha256]) => [url, sha256]))
  return (address) => hashes.get(address) ?? null
}

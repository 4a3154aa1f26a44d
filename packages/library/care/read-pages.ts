import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'
import type { Background, BlobLocation } from '@galley/platform'
import { isOutOfRoom, storageCause, storageReason } from '@galley/platform'
import { archiveLimits, isOfBucket } from '@galley/wire'
import type { Sha256 } from '@galley/wire'

import type { ChangeFeed } from '../changes.ts'
import type { BlobUse } from '../db/file/blob-uses.ts'
import type { ReferringVersion } from '../db/file/references.ts'
import type { IndexWith } from '../db/library-index.ts'
import type { ChangeOf, MediaReference } from '../records/changes.ts'
import { referenceKey } from '../records/media-references.ts'
import type { Vault } from '../vault/vault.ts'
import { listedAtMost } from './check-files.ts'
import type { CareJobs } from './read-stored.ts'

interface PagePorts {
  readonly index: IndexWith<'commit' | 'pageTexts' | 'references'>
  readonly vault: Vault
  readonly background: Background<CareJobs>
}

const pagesAtOnce = 20
/** Versions whose references share an entry of the log; the same for style sheets. */
const versionsAtOnce = 50

async function locate({ index, vault }: PagePorts, sha256: Sha256): Promise<BlobLocation | null> {
  const place = index.blobs.find(sha256)
  return place && (await vault.locate(place))
}

/**
 * Adds missing pages to the search, for example after a rebuild, one at a time. A page that cannot be read stays empty.
 * Resolves when there are no more, or when `signal` aborts.
 */
export async function readPages(ports: PagePorts, signal: AbortSignal): Promise<void> {
  const { pageTexts } = ports.index
  for (let pages = pageTexts.unread(pagesAtOnce); pages.length > 0; pages = pageTexts.unread(pagesAtOnce)) {
    for (const page of pages) {
      const place = await unlessLost(() => locate(ports, page.html))
      const words = place && (await ports.background.run('pageWords', place, { signal }))
      if (signal.aborted) return
      pageTexts.fill(page, words)
      await nextTurn()
    }
  }
}

/** Versions that are looked at in a turn, and pages that are read in one job: other jobs wait for less than 100 ms. */
const looked = 500
const searchedAtOnce = 10

/**
 * Makes the pages of versions after a row searchable, at most `limit` of them, and returns the row to go on from. Pages that only the
 * bucket of a team has are left out: the search would fetch them all.
 */
export async function makeSearchable(
  { index, vault, background }: PagePorts,
  signal: AbortSignal,
  { after = 0, limit = Number.POSITIVE_INFINITY }: { readonly after?: number; readonly limit?: number } = {},
): Promise<number> {
  const { search } = index
  let left = limit
  for (let some = search.unreadAfter(after, looked); some !== null; some = search.unreadAfter(after, looked)) {
    const pages: { sha256: Sha256; place: BlobLocation }[] = []
    for (const { html } of some.pages) {
      const slice = index.blobs.find(html)
      if (slice && (await vault.sizeOf(slice.file)) !== null)
        pages.push({ sha256: html, place: await vault.locate(slice) })
    }
    for (let at = 0; at < pages.length && left > 0; at += searchedAtOnce, left -= searchedAtOnce) {
      const job = { file: search.file, pages: pages.slice(at, at + searchedAtOnce) }
      await background.run('searchPages', job, { signal })
    }
    if (left <= 0) break
    after = some.next
    await nextTurn()
  }
  return after
}

/** Saves in a row are read together, and after their answers. */
const restMs = 1000

/** Makes every save searchable that this listener stores, after those that are not yet, until `signal` aborts. */
export async function keepSearchable(
  {
    changes,
    log,
    ...ports
  }: PagePorts & { readonly changes: Pick<ChangeFeed, 'onCallback'>; readonly log: (line: string) => void },
  signal: AbortSignal,
): Promise<void> {
  try {
    for (let after = 0; !signal.aborted; await setTimeout(restMs, null, { signal, ref: false })) {
      const { promise: saved, resolve } = Promise.withResolvers<void>()
      const stops = [changes.onCallback(() => resolve()), onceAborted(signal, resolve)]
      after = await makeSearchable(ports, signal, { after })
      await saved
      for (const stop of stops) stop()
    }
  } catch (error) {
    if (!signal.aborted) log(`not all stored pages are searchable: ${storageReason(error)}`)
  }
}

function onceAborted(signal: AbortSignal, then: () => void): () => void {
  signal.addEventListener('abort', then)
  return () => signal.removeEventListener('abort', then)
}

/** Whether the bucket cannot be reached, or the disk is full. The pages are then read again later. */
export const isNotTaken = (error: unknown): boolean => isOfBucket(storageCause(error)) || isOutOfRoom(error)

/** Does both in the background of a listener. A disk error stops this work until the next start and is only logged. */
export async function readInBackground(
  { log, ...ports }: PagePorts & { readonly log: (line: string) => void },
  signal: AbortSignal,
): Promise<void> {
  try {
    await readPages(ports, signal)
    await readReferences(ports, { signal })
  } catch (error) {
    if (!signal.aborted) log(`not all stored pages were read: ${storageReason(error)}`)
  }
}

interface ReferenceOptions {
  readonly signal: AbortSignal
  /** True to treat unreadable versions as read: nothing more can be found in them. */
  readonly givesUp?: boolean
  readonly onRead?: (versions: number) => void
  /**
   * True if nothing will be deleted: if the bucket or a full disk cannot be written, the recorded references are used.
   */
  readonly onlyLooks?: boolean
}

/**
 * Finds and records the references that saves of an earlier Galley lack, and those of files that are too large to be read
 * with their save. Must run before anything is deleted. Returns the number of versions and style sheets that could not be read.
 */
export async function readReferences(ports: PagePorts, options: ReferenceOptions): Promise<number> {
  try {
    return (await readVersions(ports, options)) + (await readSheets(ports, options))
  } catch (error) {
    if (options.onlyLooks === true && isNotTaken(error)) return 0
    throw error
  }
}

async function readVersions(
  ports: PagePorts,
  { signal, givesUp = false, onRead = () => undefined }: ReferenceOptions,
): Promise<number> {
  const { references: known } = ports.index
  let [after, read, unreadable] = [0, 0, 0]
  for (let some = known.unread(0, versionsAtOnce); some.length > 0; some = known.unread(after, versionsAtOnce)) {
    const found: ChangeOf<'references_found'>['versions'][number][] = []
    for (const version of some) {
      const references = await referencesIn(ports, version, { own: version.media, bases: null }, signal)
      signal.throwIfAborted()
      after = version.row
      if (references === null) unreadable += 1
      const { site, materialId, versionId } = version
      if (references !== null || givesUp)
        found.push({ site, materialId, versionId, references: [...(references ?? [])] })
    }
    if (found.length > 0) await ports.index.commit.write(() => known.record({ versions: found }))
    read += some.length
    onRead(read)
    await nextTurn()
  }
  return unreadable
}

async function readSheets(ports: PagePorts, { signal, givesUp = false }: ReferenceOptions): Promise<number> {
  const { references: known } = ports.index
  let [after, unreadable] = ['', 0]
  for (let some = known.unreadSheets('', versionsAtOnce); some.length > 0;) {
    const sheets: { sheet: Sha256; references: MediaReference[] }[] = []
    for (const { sheet } of some) {
      const references = await referencesInSheet(ports, sheet, null, signal)
      signal.throwIfAborted()
      after = sheet
      if (references === null) unreadable += 1
      if (references !== null || givesUp) sheets.push({ sheet, references: [...(references ?? [])] })
    }
    if (sheets.length > 0) await ports.index.commit.write(() => known.record({ versions: [], sheets }))
    some = known.unreadSheets(after, versionsAtOnce)
  }
  return unreadable
}

/** A style sheet with references to missing files of this library. */
export interface BrokenSheet {
  /** What uses the style sheet; never empty. */
  readonly uses: readonly BlobUse[]
  readonly names: readonly string[]
}

/** Style sheets that refer to media of their site that the library does not have. */
export async function brokenSheets(ports: PagePorts, signal: AbortSignal): Promise<readonly BrokenSheet[]> {
  const { references, versions, blobUses } = ports.index
  const broken: BrokenSheet[] = []
  for (const { sheet } of references.brokenSheets()) {
    const uses = blobUses.of(sheet, listedAtMost)
    const bases = new Set(uses.flatMap(({ site }) => versions.publicBases(site)))
    const named = await unlessLost(() => referencesInSheet(ports, sheet, [...bases], signal))
    signal.throwIfAborted()
    const keys = new Set(named?.map(referenceKey))
    const names = references.brokenInSheet(sheet).filter((each) => keys.has(referenceKey(each)))
    if (uses.length > 0 && names.length > 0) broken.push({ uses, names: names.map(({ name }) => name) })
  }
  return broken
}

/** A version with references to missing files of this library. */
export interface BrokenPage extends ReferringVersion {
  readonly names: readonly string[]
}

/** Versions whose page or state refers to media of their site that the library does not have. */
export async function brokenPages(ports: PagePorts, signal: AbortSignal): Promise<readonly BrokenPage[]> {
  const { references, versions } = ports.index
  const pages: BrokenPage[] = []
  for (let after: number | null = 0; after !== null;) {
    const { broken, next } = references.range(after)
    for (const version of broken) {
      // Only the URL in the text shows whether the file is Galley's: other sites may use the same names.
      const bases = versions.publicBases(version.site)
      const named = await unlessLost(() => referencesIn(ports, version, { own: [], bases }, signal))
      signal.throwIfAborted()
      const keys = new Set(named?.map(referenceKey))
      const names = references.brokenOf(version.row).filter((each) => keys.has(referenceKey(each)))
      if (names.length > 0) pages.push({ ...version, names: names.map(({ name }) => name) })
    }
    after = next
    await nextTurn()
  }
  return pages
}

/** Null if the team's bucket has lost a text, which is reported separately. */
async function unlessLost<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read()
  } catch (error) {
    if (storageCause(error).code.startsWith('team_file_')) return null
    throw error
  }
}

/** null if the page or the state cannot be read. */
async function referencesIn(
  ports: PagePorts,
  { html, state }: ReferringVersion,
  options: { readonly own: readonly MediaReference[]; readonly bases: readonly string[] | null },
  signal: AbortSignal,
): Promise<readonly MediaReference[] | null> {
  const found = await Promise.all([html, state].map((blob) => locate(ports, blob)))
  const texts = found.filter((text) => text !== null)
  if (texts.length < 2) return null
  return ports.background.run('mediaReferences', { texts, isFile: false, ...options }, { signal })
}

/** null if the style sheet cannot be read. One that exceeds the size limit of pages counts as having no references. */
async function referencesInSheet(
  ports: PagePorts,
  sheet: Sha256,
  bases: readonly string[] | null,
  signal: AbortSignal,
): Promise<readonly MediaReference[] | null> {
  const place = await locate(ports, sheet)
  if (place !== null && place.sizeBytes > archiveLimits.textBytes) return []
  return place && ports.background.run('mediaReferences', { texts: [place], own: [], bases, isFile: true }, { signal })
}

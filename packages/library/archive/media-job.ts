import { closeSync, openSync } from 'node:fs'
import type { BlobLocation } from '@galley/platform'
import { isSystemError } from '@galley/platform'
import {
  archiveLimits,
  cause,
  clientUrls,
  fail,
  hashStart,
  loadHtmlReferences,
  loadPageText,
  loadReferenceFinder,
  mayReferToFiles,
  mediaPath,
  mediaRole,
  ok,
  shownName,
  writeClientUrls,
} from '@galley/wire'
import type { Result } from '@galley/wire'

import type { MediaReference } from '../records/changes.ts'
import { mayBeSameFile, mayHaveBase, mediaReferences, referenceKey } from '../records/media-references.ts'
import { readFully } from './byte-window.ts'
import { decodeUtf8 } from './entry-name.ts'
import { readReferences } from './file-references.ts'
import type { JobTools } from './job-tools.ts'
import type { ArchiveFailure, UnpackedMedia, UnpackMediaJob } from './jobs.ts'
import type { OpenArchive } from './open-archive.ts'
import { inHashOrder } from './staging.ts'
import { withStoredNames } from './stored-names.ts'
import { assignRoles, unpackEntries } from './unpack.ts'
import { urlHosts } from './url-hosts.ts'
import type { Warnings } from './warnings.ts'

/**
 * The state of an earlier version. Only needed for files missing from the archive, so if the library has lost it, further
 * saves must not fail: adds a warning and returns an empty text.
 */
function readEarlierText(at: BlobLocation, warnings: Warnings): string {
  try {
    const fd = openSync(at.path, 'r')
    try {
      const bytes = Buffer.alloc(at.sizeBytes)
      const text = readFully(fd, bytes, at.offset) === at.sizeBytes ? decodeUtf8(bytes) : null
      if (text !== null) return text
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
  warnings.add('state_unread')
  return ''
}

/** The maximum text of a page in the search index, in UTF-16 units. */
const textMaxChars = 200_000

const notUtf8 = (name: string): { readonly ok: false; readonly failure: ArchiveFailure } =>
  fail({ kind: 'invalid_archive', problem: cause('unreadable', { name, why: cause('not_utf8') }) })

/** Unpacks a media ZIP and rewrites its page and state (contract, Site callback endpoint). */
export async function unpackMedia(
  job: UnpackMediaJob,
  archive: OpenArchive,
  place: JobTools,
): Promise<Result<UnpackedMedia, ArchiveFailure>> {
  const { staging, warnings, steps } = place
  const required = { html: 'vms_html.html', state: 'vms_json.json' }
  const assigned = assignRoles<'html' | 'state'>(archive, job.limits, mediaRole, required)
  if (!assigned.ok) return assigned
  const unpacked = await unpackEntries(assigned.value, place)
  steps.end('unpack')
  if (!unpacked.ok) return unpacked
  const { texts, metadata, kept } = unpacked.value

  const files = withStoredNames(unpacked.value.files, job.isInFolder, ({ sha256 }) => sha256)
  const urlByFile = new Map<string, string>()
  for (const [name, { sha256, storedName }] of files)
    urlByFile.set(name, job.publicBase + mediaPath(sha256, storedName))
  const html = decodeUtf8(texts.get('html') ?? Buffer.alloc(0))
  if (html === null) return notUtf8(required.html)
  const state = decodeUtf8(texts.get('state') ?? Buffer.alloc(0))
  if (state === null) return notUtf8(required.state)

  const earlier = job.earlierState === null ? '' : readEarlierText(job.earlierState, warnings)
  const written = writeClientUrls(state, urlByFile, clientUrls(earlier))
  if (!written.ok) return written
  const page = await rewritePage(html, urlByFile, new Set(written.value.urls.keys()), place)
  for (const [name, { sizeBytes }] of files)
    if (mayReferToFiles(name) && sizeBytes > archiveLimits.textBytes)
      warnings.add('style_sheet_unread', shownName(name))
  steps.end('rewrite')

  const readable = [page.readable, written.value.text]
  const media = Array.from(files.values(), ({ storedName: name, ...blob }) => ({ name, ...blob }))
  const own = media.map(({ name, sha256 }) => ({ hashStart: hashStart(sha256), name }))
  const references = mediaReferences(readable, new Set(own.map(referenceKey)))
  const { sheets, texts: naming } = await readReferences(unpacked.value.naming)
  const named = [...(references.length > 0 ? readable : []), ...naming]
  const result = {
    kind: 'media' as const,
    media: inHashOrder(media),
    html: { name: required.html, ...staging.keep(Buffer.from(page.html)) },
    state: { name: required.state, ...staging.keep(Buffer.from(written.value.text)) },
    metadata,
    title: page.title,
    text: page.text,
    references,
    sheets,
    ownReferences: named.length === 0 ? [] : ownReferences(named, own, job.ownBases),
    kept,
    answerHosts: urlHosts(written.value.urls.values()),
  }
  return ok({ ...result, ...staging.finish(), warnings: warnings.list() })
}

/** More are not looked up: no person reads that many warnings. */
const ownReferencesMax = 1000

/** Files of earlier saves of this site to which these texts certainly refer. */
function ownReferences(
  texts: readonly string[],
  media: readonly MediaReference[],
  bases: readonly string[],
): readonly MediaReference[] {
  const brought = Map.groupBy(media, ({ hashStart: start }) => start)
  return mediaReferences(texts, new Set(media.map(referenceKey)), { bases })
    .slice(0, ownReferencesMax)
    .filter((each) => brought.get(each.hashStart)?.some((file) => mayBeSameFile(each, file)) !== true)
}

async function rewritePage(
  html: string,
  urlByFile: ReadonlyMap<string, string>,
  assets: ReadonlySet<string>,
  { warnings }: JobTools,
): Promise<{ readonly html: string; readonly readable: string; readonly title: string | null; readonly text: string }> {
  // The parsers are loaded with the first page, so that threads start faster and refused archives never load them.
  const [{ rewriteHtml }, { dummyNames }, { createPageWords }] = await Promise.all([
    loadHtmlReferences(),
    loadReferenceFinder(),
    loadPageText(),
  ])
  const words = createPageWords(textMaxChars)
  const rewritten = rewriteHtml(html, dummyNames(urlByFile, assets), words.reader)
  for (const name of new Set(rewritten.missing)) warnings.add('page_file_missing', shownName(name))
  for (const script of rewritten.skippedScripts) warnings.add('script_left', shownName(script))
  if (html.trim() === '') warnings.add('page_empty')
  const behindBase = mayHaveBase(html) ? await import('../records/without-base.ts') : null
  // The references to files of earlier saves are the same before and after rewriting. A large page refers to its own
  // files very often.
  const readable = behindBase?.withoutBase(rewritten.text) ?? html
  return { html: rewritten.text, readable, ...words.read() }
}

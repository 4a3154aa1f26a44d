import { join } from 'node:path'
import { isStorageFault, step, storageCause } from '@galley/platform'
import { cause, fail, isAllowedHost, ok, successMessage } from '@galley/wire'
import type { CallbackFailure, CallbackId, Result, Sha256, SignedCallback } from '@galley/wire'

import type { StagedBlob, StagedFile } from '../archive/jobs.ts'
import type { CallbackResult } from '../db/callbacks.ts'
import type { Index } from '../db/library-index.ts'
import { LogSyncError } from '../log/append.ts'
import { EntryUnappliedError } from '../log/entry-unapplied.ts'
import { WriterEndedError } from '../log/writer-ended.ts'
import type { LoggedDelivery, NewBlob } from '../records/changes.ts'
import type { Site } from '../records/site.ts'
import type { Publication, PublicFile, Publisher } from '../vault/publisher.ts'
import { PublishError } from '../vault/publisher.ts'
import type { AdoptionOutcome, Vault } from '../vault/vault.ts'
import type { Content, ContentReader, Save } from './content.ts'

/** Dependencies of `ingest`. */
export interface IngestPorts {
  readonly index: Index
  readonly vault: Vault
  readonly readers: Readonly<Record<Save['callback']['event'], ContentReader>>
  /** Null: the listener serves files directly from the vault, so there is nothing to publish. */
  readonly publisherOf: (site: Site) => Publisher | null
  /** Whether a person has confirmed where this site downloads from and publishes to. */
  readonly isConfirmed: (site: Site) => boolean
}

/** The content of an answer with `rc` 1. */
export interface Accepted {
  readonly outcome: 'stored' | 'duplicate'
  readonly answer: Sha256 | null
  readonly versionId: string
  readonly duplicateOf: CallbackId | null
}

/** Puts the archive at `path`: by download or, in a replay, from the kept copy. */
export type ArchiveSource = (path: string) => Promise<Result<StagedFile, CallbackFailure>>

/**
 * Stores a save in the order that loses nothing: download, unpack and rewrite, move files into place, publish, index,
 * and only then answer (docs/api.md, section 3, Order). A failure before the index commit leaves nothing behind.
 * `isDryRun`: finds out the result and leaves the library unchanged. Throws disk and index errors; the caller turns
 * them into `storage_failed`.
 */
export async function ingest(
  ports: IngestPorts,
  save: Save,
  fetchArchive: ArchiveSource,
  isDryRun = false,
): Promise<Result<Accepted, CallbackFailure>> {
  const staging = await ports.vault.stageFiles(isDryRun)
  /** Whether every file has been moved out of staging. */
  let isEmpty = false
  try {
    const archive = await save.steps.time('download', () =>
      fetchArchive(join(staging.folder, `${staging.prefix}archive.zip`)),
    )
    if (!archive.ok) return archive

    const read = await ports.readers[save.callback.event](save, archive.value, staging)
    if (!read.ok) return read
    const content = read.value

    const hosts = content.unpacked.answerHosts.filter((host) => !isAllowedHost(host, save.site.allowedDomains))
    if (hosts.length > 0) return fail({ kind: 'domain_not_allowed', hosts })
    const known = knownUnderThisName(ports.index, save, content)
    if (known !== null) return known

    const accepted = {
      outcome: 'stored',
      answer: content.answer,
      versionId: content.versionId,
      duplicateOf: null,
    } as const
    if (!isDryRun && !(await commit(ports, save, content, accepted))) return answerOfWinner(ports.index, save, content)
    // If another archive is kept, the received one has credentials and must be deleted.
    isEmpty = !isDryRun && content.unpacked.kept.path === archive.value.path
    return ok(accepted)
  } finally {
    if (isEmpty) ports.vault.closeFiles(staging)
    else await ports.vault.discardFiles(staging).catch(ignoreCleanupError)
  }
}

/** A failed clean-up does not change the result of the save; a later clean-up deletes the leftovers. */
function ignoreCleanupError(error: unknown): void {
  if (!isStorageFault(error)) throw error
}

/**
 * Moves files into place, publishes and indexes them: all of it, or nothing. False: another member of the team has
 * decided otherwise.
 */
async function commit(
  { index, vault, publisherOf }: IngestPorts,
  save: Save,
  content: Content,
  accepted: Accepted,
): Promise<boolean> {
  const { unpacked } = content
  const ownFiles = unpacked.blobs.flatMap(({ sha256, at }) => (at.kind === 'file' ? [{ path: at.path, sha256 }] : []))
  const adoption = await save.steps.time('place', () =>
    vault.adopt([...ownFiles, unpacked.kept, ...(unpacked.pack ? [unpacked.pack] : [])]),
  )
  let outcome: AdoptionOutcome = 'nothing_stored'
  let publication: Publication | null = null
  try {
    const publisher = publisherOf(save.site)
    publication = await save.steps.time(
      'publish',
      () => publisher && publisher.publish(publicFiles(content)).catch(ofTarget),
    )
    const started = performance.now()
    let isTimed = false
    const stored = {
      blobs: [...unpacked.blobs.map((blob) => placed(blob, content)), { ...unpacked.kept, pack: null }],
      content: content.rows,
      sheets: unpacked.sheets,
      // The commit records this delivery, so the time of that sync is not included.
      delivery() {
        if (!isTimed) save.steps.add([step('index', started)])
        isTimed = true
        return deliveryOf(save, accepted)
      },
    }
    const { refusal } = save
    const isStored = await (refusal
      ? index.storeSave(stored, () => isNew(index, save, content) && refusal() === null)
      : index.storeSave(stored))
    if (isStored) outcome = 'stored'
    return isStored
  } catch (error) {
    const mayBeInLog =
      error instanceof LogSyncError || error instanceof EntryUnappliedError || error instanceof WriterEndedError
    if (mayBeInLog || storageCause(error).code === 'entry_unknown') outcome = 'unknown'
    throw error
  } finally {
    try {
      adoption.settle(outcome)
    } catch (error) {
      ignoreCleanupError(error)
    }
    await publication?.settle(outcome).catch(ignoreCleanupError)
  }
}

/** Throws the error of a publishing target; bugs unchanged. */
function ofTarget(error: unknown): never {
  throw isStorageFault(error) ? new PublishError(storageCause(error)) : error
}

/** The callback of a stored save, as kept in the log of the library. */
function deliveryOf(save: Save, accepted: Accepted): LoggedDelivery {
  const { rm, steps, durationMs } = resultOfAccepted(save, accepted)
  const { id, receivedAt, request, callback } = save
  return {
    id,
    receivedAt,
    materialId: callback.materialId,
    contentUrl: callback.contentUrl.signed,
    ...request,
    rm,
    steps: [...steps],
    durationMs: durationMs === undefined ? null : Math.round(durationMs),
  }
}

/** How the list of callbacks shows an accepted callback. */
export const resultOfAccepted = (
  { callback, steps, startedMs }: Save,
  { outcome, versionId, duplicateOf }: Accepted,
): CallbackResult => ({
  outcome,
  httpStatus: 200,
  rc: 1,
  code: null,
  rm: successMessage[callback.event],
  versionId,
  duplicateOf,
  steps: steps.list(),
  durationMs: performance.now() - startedMs,
})

/** The ledger: a stored delivery gets the same answer again. */
export function storedDelivery(index: Index, { site, callback }: Save): Accepted | null {
  const { event, materialId, contentUrl } = callback
  const stored = index.callbacks.storedDelivery(site.id, event, materialId, contentUrl.signed)
  const answered = stored && storedContent(index, site, callback, stored.versionId)
  if (!answered) return null
  return { outcome: 'duplicate', answer: answered.answer, versionId: stored.versionId, duplicateOf: stored.callback }
}

/** A stored version or snapshot with the blob of its answer; null if it is not stored. */
function storedContent(
  index: Index,
  site: Site,
  { event, materialId }: SignedCallback,
  versionId: string,
): { readonly answer: Sha256 | null } | null {
  if (event === 'site_fonts_updated') return index.snapshots.find(site.id, versionId)
  const parts = index.versions.parts(site.id, materialId, versionId)
  return parts && { answer: parts.state }
}

const isNew = (index: Index, save: Save, content: Content): boolean =>
  storedDelivery(index, save) === null && content.known() === 'nothing'

/** The answer if the library already has this version; null if it does not. */
function knownUnderThisName(index: Index, save: Save, content: Content): Result<Accepted, CallbackFailure> | null {
  const known = content.known()
  if (known === 'other') return fail({ kind: 'version_conflict', versionId: content.versionId })
  return known === 'same' ? ok(storedUnderThisName(index, save, content)) : null
}

/** The answer to a save that failed because another member of the team was first. */
function answerOfWinner(index: Index, save: Save, content: Content): Result<Accepted, CallbackFailure> {
  const repeated = storedDelivery(index, save)
  if (repeated) return ok(repeated)
  const refused = save.refusal?.() ?? { kind: 'storage_failed', reason: cause('unexpected') }
  return knownUnderThisName(index, save, content) ?? fail(refused)
}

/**
 * The same content arrived under another address: the stored answer is given. It is not made again, because its URLs
 * depend on the callback and on earlier saves.
 */
function storedUnderThisName(index: Index, { site, callback }: Save, { versionId }: Content): Accepted {
  const first = index.callbacks.storingVersion(site.id, callback.event, callback.materialId, versionId)
  const answer = storedContent(index, site, callback, versionId)?.answer ?? null
  return { outcome: 'duplicate', answer, versionId, duplicateOf: first }
}

function placed({ sha256, sizeBytes, at }: StagedBlob, { unpacked: { pack } }: Content): NewBlob {
  if (at.kind === 'file') return { sha256, sizeBytes, pack: null }
  if (!pack) throw new Error('A packed blob came without its pack')
  return { sha256, sizeBytes, pack: { sha256: pack.sha256, offset: at.offset } }
}

function publicFiles(content: Content): readonly PublicFile[] {
  const places = new Map(content.unpacked.blobs.map((blob) => [blob.sha256, placed(blob, content)]))
  return content.publicBlobs().map(({ path, blob, immutable }) => {
    const place = places.get(blob.sha256)
    if (!place) throw new Error('A public file has no blob')
    const slice = {
      file: place.pack?.sha256 ?? place.sha256,
      offset: place.pack?.offset ?? 0,
      sizeBytes: place.sizeBytes,
    }
    return { path, sha256: blob.sha256, slice, immutable }
  })
}

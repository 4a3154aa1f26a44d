import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isStorageFault, step, storageCause, storageReason } from '@galley/platform'
import { cause, describeFault, fail, isAllowedHost, ok } from '@galley/wire'
import type { CallbackFailure, Cause, Result } from '@galley/wire'

import type { StagedBlob, StagedFile } from '../archive/jobs.ts'
import type { Arrival, CallbackResult } from '../db/callback/callbacks.ts'
import type { IndexReads, IndexWith } from '../db/library-index.ts'
import { LogSyncError } from '../log/append.ts'
import { EntryUnappliedError } from '../log/entry-unapplied.ts'
import { WriterEndedError } from '../log/writer-ended.ts'
import type { LoggedDelivery, NewBlob } from '../records/changes.ts'
import type { StorageFault } from '../records/listener-state.ts'
import type { Site } from '../records/site.ts'
import type { Publication, PublicFile, Publisher } from '../vault/publisher.ts'
import { PublishError } from '../vault/publisher.ts'
import type { AdoptionOutcome, Vault } from '../vault/vault.ts'
import type { Accepted, WholeAnswer } from './answer.ts'
import { resultOfAccepted, resultOfFailure, storageFailure } from './answer.ts'
import type { Content, ContentReader, Save } from './content.ts'
import type { Downloader } from './download.ts'
import { storedContent, storedDelivery } from './judge.ts'

export interface StorePorts {
  readonly index: IndexWith<'callbacks' | 'storeSave'>
  readonly vault: Vault
  readonly readers: Readonly<Record<Save['callback']['event'], ContentReader>>
  /** Null: the listener serves files directly from the vault, so there is nothing to publish. */
  readonly publisherOf: (site: Site) => Publisher | null
}

/** Whether saves can be stored, as real writes show it. */
export interface StorageState {
  readonly fault: () => StorageFault | null
  /** A write failed for this reason. */
  readonly note: (reason: Cause) => void
  /** A save was stored. */
  readonly wentWell: () => void
}

/** What a save needs that arrives, and is not replayed. */
export interface RecordedStorePorts extends StorePorts {
  readonly downloader: Downloader
  /** Whether saves can be stored. What happens to them is reported to it. */
  readonly storage: StorageState
  readonly wholeAnswer: WholeAnswer
  /** Aborts downloads. */
  readonly cut: AbortSignal
  readonly log: (line: string) => void
}

/** Puts the archive at `path`: by download or, in a replay, from the kept copy. */
export type ArchiveSource = (path: string) => Promise<Result<StagedFile, CallbackFailure>>

/**
 * Stores a save in the order that loses nothing: download, unpack and rewrite, move files into place, publish, index,
 * and only then answer (docs/api.md, section 3, Order). A failure before the index commit leaves nothing behind.
 * `isDryRun`: finds out the result and leaves the library unchanged. Throws disk and index errors; the caller turns
 * them into `storage_failed`.
 */
export async function store(
  ports: StorePorts,
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

/** Stores a save, and writes its callback into the list, at its beginning and at its end. */
export async function storeAndRecord(
  ports: RecordedStorePorts,
  save: Save,
  arrival: Arrival,
  signature: string,
): Promise<Result<Accepted, CallbackFailure>> {
  const { index, downloader, storage, log } = ports
  const { id, site, callback } = save
  const { materialId, contentUrl } = callback
  let isListed = false
  const end = (ending: CallbackResult): void =>
    isListed ? index.callbacks.finish(id, ending) : index.callbacks.record([{ arrival, result: ending }])
  try {
    const stored = await store(ports, save, async (path) => {
      const fetching = downloader.download({ site, materialId, contentUrl, signature, path, signal: ports.cut })
      const fetched = fetching.catch(() => undefined)
      // Written while the service prepares the archive. The connection is requested in the first turn.
      await nextTurn()
      await nextTurn()
      try {
        index.callbacks.begin(arrival)
        isListed = true
      } catch (error) {
        // Its folder is about to be deleted.
        await fetched
        throw error
      }
      return fetching
    })
    if (!stored.ok && stored.failure.kind === 'storage_failed') storage.note(stored.failure.reason)
    const result = stored.ok ? await ports.wholeAnswer(stored.value) : stored
    // A stored save was recorded by its commit.
    if (stored.ok && stored.value.outcome === 'stored') storage.wentWell()
    else end(result.ok ? resultOfAccepted(callback, result.value, save) : resultOfFailure(result.failure, save))
    return result
  } catch (error) {
    const failure = storageFailure(storageCause(error))
    log(`save ${id} could not be stored: ${isStorageFault(error) ? storageReason(error) : describeFault(error)}`)
    if (!(error instanceof PublishError)) storage.note(storageCause(error))
    try {
      end(resultOfFailure(failure, save))
    } catch (fault) {
      // The row stays open and shows as interrupted after the next start, which is accurate enough.
      storage.note(storageCause(fault))
      log(`the end of callback ${id} could not be logged: ${storageReason(fault)}`)
    }
    return fail(failure)
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
  { index, vault, publisherOf }: StorePorts,
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
  const { rm, steps, durationMs } = resultOfAccepted(save.callback, accepted, save)
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

const isNew = (index: IndexReads, save: Save, content: Content): boolean =>
  storedDelivery(index, save.site, save.callback) === null && content.known() === 'nothing'

/** The answer if the library already has this version; null if it does not. */
function knownUnderThisName(index: IndexReads, save: Save, content: Content): Result<Accepted, CallbackFailure> | null {
  const known = content.known()
  if (known === 'other') return fail({ kind: 'version_conflict', versionId: content.versionId })
  return known === 'same' ? ok(storedUnderThisName(index, save, content)) : null
}

/** The answer to a save that failed because another member of the team was first. */
function answerOfWinner(index: IndexReads, save: Save, content: Content): Result<Accepted, CallbackFailure> {
  const repeated = storedDelivery(index, save.site, save.callback)
  if (repeated) return ok(repeated)
  const refused = save.refusal?.() ?? { kind: 'storage_failed', reason: cause('unexpected') }
  return knownUnderThisName(index, save, content) ?? fail(refused)
}

/**
 * The same content arrived under another address: the stored answer is given. It is not made again, because its URLs
 * depend on the callback and on earlier saves.
 */
function storedUnderThisName(index: IndexReads, { site, callback }: Save, { versionId }: Content): Accepted {
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

import { setImmediate as nextTurn } from 'node:timers/promises'
import { isStorageFault, storageCause, storageReason } from '@galley/platform'
import type { CallbackFailure, Cause, Result } from '@galley/wire'
import { cause, describeFault, fail, ok } from '@galley/wire'

import type { Arrival, CallbackResult } from '../db/callbacks.ts'
import type { StorageFault } from '../records/listener-state.ts'
import type { CheckedFiles } from '../vault/checked-files.ts'
import { PublishError } from '../vault/publisher.ts'
import type { Answer } from './answers.ts'
import { accepted, failed } from './answers.ts'
import type { Save } from './content.ts'
import type { Downloader } from './download.ts'
import type { Accepted, IngestPorts } from './ingest.ts'
import { resultOfAccepted, ingest, storedDelivery } from './ingest.ts'
import type { RefusalPorts, RefuseDelivery } from './refusals.ts'
import { resultOfFailure } from './refusals.ts'
import { storageFailure } from './storage-failure.ts'

/** Whether saves can be stored, as real writes show it. */
export interface StorageState {
  readonly fault: () => StorageFault | null
  /** A write failed for this reason. */
  readonly note: (reason: Cause) => void
  /** A save was stored. */
  readonly wentWell: () => void
}

export interface SavePorts extends IngestPorts, Pick<RefusalPorts, 'log' | 'onCallback'> {
  readonly downloader: Downloader
  /** Whether saves can be stored. What happens to them is reported to it. */
  readonly storage: StorageState
}

interface PerformPorts extends SavePorts {
  readonly refuseDelivery: RefuseDelivery
  readonly checkedFiles: CheckedFiles
  /** Aborts downloads. */
  readonly cut: AbortSignal
}

/** Runs a save to its end. From here on, the result does not depend on whether the client still waits. */
export async function perform(ports: PerformPorts, save: Save, arrival: Arrival, signature: string): Promise<Answer> {
  const { index, downloader, log } = ports
  const { id, site, callback } = save
  const { materialId, contentUrl } = callback
  // Stored by the save that it waited for.
  const repeated = answerRepeated(ports, save, arrival)
  if (repeated) return repeated
  // A disk that may be mended is tried.
  const broken = ports.storage.fault()
  if (broken !== null && broken.until !== 'mended')
    return ports.refuseDelivery(site.id, storageFailure(broken.cause), arrival, save)
  let isListed = false
  const end = (ending: CallbackResult): void =>
    isListed ? index.callbacks.finish(id, ending) : index.callbacks.record([{ arrival, result: ending }])
  let result: Result<Accepted, CallbackFailure>
  try {
    result = await ingest(ports, save, async (path) => {
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
    if (!result.ok && result.failure.kind === 'storage_failed') ports.storage.note(result.failure.reason)
    // A stored save was recorded by its commit.
    const isRecorded = result.ok && result.value.outcome === 'stored'
    if (result.ok) result = await withAnswer(ports, result.value)
    if (isRecorded) ports.storage.wentWell()
    else end(result.ok ? resultOfAccepted(save, result.value) : resultOfFailure(result.failure, save))
  } catch (error) {
    result = fail(storageFailure(storageCause(error)))
    log(`save ${id} could not be stored: ${isStorageFault(error) ? storageReason(error) : describeFault(error)}`)
    if (!(error instanceof PublishError)) ports.storage.note(storageCause(error))
    try {
      end(resultOfFailure(result.failure, save))
    } catch (fault) {
      // The row stays open and shows as interrupted after the next start, which is accurate enough.
      ports.storage.note(storageCause(fault))
      log(`the end of callback ${id} could not be logged: ${storageReason(fault)}`)
    }
  }
  // After the answer.
  setImmediate(() => ports.onCallback(id))
  return result.ok ? accepted(callback.event, result.value) : failed(result.failure)
}

/**
 * Checks that the bytes of the answer are those that were stored, because a new save may be answered with an earlier
 * blob. Fetches them first if another member of the team stored them.
 */
async function withAnswer(
  { index, vault, checkedFiles }: PerformPorts,
  done: Accepted,
): Promise<Result<Accepted, CallbackFailure>> {
  const place = done.answer && index.blobs.find(done.answer)
  try {
    if (done.answer === null || !place) return ok(done)
    const state = await checkedFiles.stateOf(done.answer, await vault.locate(place))
    return state === 'whole' ? ok(done) : fail({ kind: 'storage_failed', reason: cause('file_altered') })
  } catch (error) {
    return fail({ kind: 'storage_failed', reason: storageCause(error) })
  }
}

/** The answer of a stored delivery; null if it is not stored. */
export function answerRepeated(
  ports: PerformPorts,
  save: Save,
  arrival: Arrival,
  run = (work: () => Promise<Answer>) => work(),
): Promise<Answer> | null {
  const repeated = storedDelivery(ports.index, save)
  if (!repeated) return null
  return run(async () => {
    const whole = await withAnswer(ports, repeated)
    return whole.ok
      ? repeat(ports, save, arrival, repeated)
      : ports.refuseDelivery(save.site.id, whole.failure, arrival, save)
  })
}

/**
 * A stored delivery gets the same answer again, even if nothing can be written: then it is only missing from the list
 * of callbacks.
 */
function repeat({ index, log, onCallback }: PerformPorts, save: Save, arrival: Arrival, repeated: Accepted): Answer {
  try {
    index.callbacks.record([{ arrival, result: resultOfAccepted(save, repeated) }])
  } catch (error) {
    log(`a repeated callback could not be logged: ${storageReason(error)}`)
  }
  onCallback(save.id)
  return accepted(save.callback.event, repeated)
}

import { setImmediate as nextTurn } from 'node:timers/promises'

import type { CauseCode } from '../../../contract/cause.ts'
import { cause } from '../../../contract/cause.ts'
import { faultPlace } from '../../../contract/domain/fault-place.ts'
import type { CallbackFailure } from '../../../contract/protocol/failure.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { Arrival, Ending } from '../../library/db/callbacks.ts'
import { isDiskFault, storageCause, storageReason } from '../../platform/disk/storage-reason.ts'
import type { Answer } from './answers.ts'
import { accepted, failed } from './answers.ts'
import type { Save } from './content.ts'
import type { Downloader } from './download.ts'
import type { Accepted, IngestPorts } from './ingest.ts'
import { endingOfAccepted, ingest, storedDelivery } from './ingest.ts'
import type { RefusalPorts, TurnAway } from './refusals.ts'
import { endingOfFailure } from './refusals.ts'

export interface SavePorts extends IngestPorts, Pick<RefusalPorts, 'log' | 'onCallback'> {
  readonly downloader: Downloader
  /** Whether disk or index has failed since the library was opened, and how; nothing is acknowledged any more then. */
  readonly diskFault: () => CauseCode | null
  readonly onDiskFault: (error: unknown) => void
}

interface PerformPorts extends SavePorts {
  readonly turnAway: TurnAway
  /** Ends downloads. */
  readonly cut: AbortSignal
}

/** Runs one save to its end; from here on the answer does not depend on whether anybody still waits for it. */
export async function perform(ports: PerformPorts, save: Save, arrival: Arrival, signature: string): Promise<Answer> {
  const { index, downloader, log } = ports
  const { id, site, callback } = save
  const { materialId, contentUrl } = callback
  const repeated = storedDelivery(index, save)
  if (repeated) {
    const whole = await withAnswer(ports, repeated)
    return whole.ok ? repeat(ports, save, arrival, repeated) : failed(whole.failure)
  }
  const broken = ports.diskFault()
  if (broken !== null) return ports.turnAway(site.id, { kind: 'storage_failed', reason: cause(broken) }, arrival, save)
  let isListed = false
  const end = (ending: Ending): void =>
    isListed ? index.callbacks.finish(id, ending) : index.callbacks.record([{ arrival, ending }])
  let result: Result<Accepted, CallbackFailure>
  try {
    result = await ingest(ports, save, async (path) => {
      const fetching = downloader.download({ site, materialId, contentUrl, signature, path, signal: ports.cut })
      const fetched = fetching.catch(() => undefined)
      // Written while the service looks for the archive.
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
    if (!result.ok) end(endingOfFailure(result.failure, save))
    // What is stored was written down by the commit that stored it.
    else if (result.value.outcome === 'duplicate') end(endingOfAccepted(save, result.value))
  } catch (error) {
    result = fail({ kind: 'storage_failed', reason: storageCause(error) })
    log(`save ${id} could not be stored: ${faultPlace(error)}`)
    if (isDiskFault(error)) ports.onDiskFault(error)
    try {
      end(endingOfFailure(result.failure, save))
    } catch (fault) {
      // A row that is there stays open and reads as interrupted after the next start, which is true enough.
      log(`the end of callback ${id} could not be logged: ${storageReason(fault)}`)
    }
  }
  if (result.ok) result = await withAnswer(ports, result.value)
  // Behind the answer.
  setImmediate(() => ports.onCallback(id))
  return result.ok ? accepted(callback.event, result.value) : failed(result.failure)
}

/** What is answered may have been stored by another member of a team: then its bytes are brought first. */
async function withAnswer({ index, vault }: PerformPorts, done: Accepted): Promise<Result<Accepted, CallbackFailure>> {
  const place = done.answer && index.blobs.find(done.answer)
  try {
    if (place) await vault.have(place.file)
    return ok(done)
  } catch (error) {
    return fail({ kind: 'storage_failed', reason: storageCause(error) })
  }
}

/** A stored delivery is answered as it was then, also when nothing can be written: only the list of callbacks lacks it. */
function repeat({ index, log, onCallback }: PerformPorts, save: Save, arrival: Arrival, repeated: Accepted): Answer {
  try {
    index.callbacks.record([{ arrival, ending: endingOfAccepted(save, repeated) }])
  } catch (error) {
    log(`a repeated callback could not be logged: ${storageReason(error)}`)
  }
  onCallback(save.id)
  return accepted(save.callback.event, repeated)
}

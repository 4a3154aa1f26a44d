import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { storageCause, storageReason } from '@galley/platform'
import type { CallbackFailure, CallbackId, Cause, SiteId } from '@galley/wire'
import { failureAnswer, failureFacts } from '@galley/wire'

import type { Arrival, CallbackResult } from '../db/callbacks.ts'
import type { Index } from '../db/library-index.ts'
import type { LogEntry } from './admission.ts'
import type { Answer } from './answers.ts'
import { failed } from './answers.ts'
import type { Save } from './content.ts'

/** The steps of a callback so far, and its start time. */
export type Timing = Pick<Save, 'steps' | 'startedMs'>

export interface RefusalPorts {
  readonly index: Pick<Index, 'callbacks'>
  readonly now: () => Date
  readonly log: (line: string) => void
  /** Told why something could not be written. */
  readonly storage: { readonly note: (reason: Cause) => void }
  /** Called after each callback that was written to the log. */
  readonly onCallback: (id: CallbackId) => void
}

/** Logs and answers a callback that was not accepted. */
export type RefuseDelivery = (
  site: SiteId,
  failure: CallbackFailure,
  entry: LogEntry,
  timing: Timing,
) => Promise<Answer>

export function createRefuseDelivery({ index, now, log, storage, onCallback }: RefusalPorts): RefuseDelivery {
  const logRefusal = createRefusalLog((ends) => index.callbacks.record(ends))
  return async (site, failure, entry, timing) => {
    const arrival = arrivalOf(site.slice(0, 100), entry, now())
    try {
      await logRefusal(arrival, resultOfFailure(failure, timing))
      onCallback(arrival.id)
    } catch (error) {
      storage.note(storageCause(error))
      log(`a refused callback could not be logged: ${storageReason(error)}`)
    }
    return failed(failure)
  }
}

/** A callback for the log, with the data known so far. */
export const arrivalOf = (site: SiteId, entry: LogEntry, at: Date): Arrival => ({
  id: randomUUID(),
  site,
  receivedAt: at.toISOString(),
  kind: 'unknown',
  materialId: null,
  contentUrl: null,
  signature: 'missing',
  payload: null,
  ...entry,
})

export function resultOfFailure(failure: CallbackFailure, { steps, startedMs }: Timing): CallbackResult {
  const { httpStatus, outcome, body } = failureAnswer(failure)
  return {
    outcome,
    httpStatus,
    rc: 0,
    code: body.code,
    rm: body.rm,
    versionId: null,
    duplicateOf: null,
    steps: steps.list(),
    durationMs: performance.now() - startedMs,
    facts: failureFacts(failure),
  }
}

/** The minimum time between two transactions of refused callbacks, which take as long for one as for many. */
const writeIntervalMs = 10

/**
 * Writes rejected callbacks in one transaction for each turn of the event loop, and during a flood in one for all of
 * `writeIntervalMs`.
 */
function createRefusalLog(record: (ends: readonly { arrival: Arrival; result: CallbackResult }[]) => void) {
  let gathered: { arrival: Arrival; result: CallbackResult }[] = []
  let written: Promise<void> | null = null
  let writtenMs = Number.NEGATIVE_INFINITY

  function write(): void {
    const batch = gathered
    gathered = []
    written = null
    record(batch)
    writtenMs = performance.now()
  }

  const inTime = async (): Promise<void> => {
    const waitMs = writtenMs + writeIntervalMs - performance.now()
    await (waitMs > 0 ? wait(waitMs) : setImmediate())
    write()
  }

  return (arrival: Arrival, result: CallbackResult): Promise<void> => {
    gathered.push({ arrival, result })
    return (written ??= inTime())
  }
}

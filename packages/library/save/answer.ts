import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { storageCause, storageReason } from '@galley/platform'
import { cause, fail, failureAnswer, failureFacts, ok, successFrame, successMessage } from '@galley/wire'
import type {
  CallbackEvent,
  CallbackFailure,
  CallbackId,
  Cause,
  FailureAnswer,
  Result,
  Sha256,
  SignedCallback,
  SiteId,
} from '@galley/wire'

import type { Arrival, CallbackResult } from '../db/callback/callbacks.ts'
import type { Index, IndexReads } from '../db/library-index.ts'
import { probeProof } from '../secrets/probe-proof.ts'
import { createCheckedFiles } from '../vault/checked-files.ts'
import type { Vault } from '../vault/vault.ts'
import type { LogEntry } from './admit.ts'
import type { Save } from './content.ts'

/** The response: a JSON text, optionally around a stored JSON blob. */
export interface Answer {
  readonly httpStatus: number
  readonly before: string
  readonly blob: Sha256 | null
  readonly after: string
}

/** The content of an answer with `rc` 1. */
export interface Accepted {
  readonly outcome: 'stored' | 'duplicate'
  /** The blob for `data`. */
  readonly answer: Sha256 | null
  readonly versionId: string
  /** The callback that stored a duplicate. */
  readonly duplicateOf: CallbackId | null
}

const whole = (httpStatus: number, body: FailureAnswer['body'] | Readonly<Record<string, unknown>>): Answer => ({
  httpStatus,
  before: JSON.stringify(body),
  blob: null,
  after: '',
})

export function failed(failure: CallbackFailure): Answer {
  const { httpStatus, body } = failureAnswer(failure)
  return whole(httpStatus, body)
}

/** The success response (`rc` 1) with the stored blob: the state, or the filled fonts tree. */
export const accepted = (event: CallbackEvent, { answer }: Accepted): Answer => ({
  httpStatus: 200,
  blob: answer,
  ...successFrame(event, answer !== null),
})

/** Proves to Galley's own probe that this listener has the site's secret. Stores nothing. */
export const probed = (nonce: string, site: SiteId, secret: string): Answer =>
  whole(200, {
    rc: 0,
    rm: 'This is Galley. A probe saves nothing.',
    code: 'probe',
    proof: probeProof(nonce, site, secret),
  })

/** The steps of a callback so far, and its start time. */
export type Timing = Pick<Save, 'steps' | 'startedMs'>

export interface AnswerPorts {
  readonly index: Pick<Index, 'callbacks'>
  readonly now: () => Date
  readonly log: (line: string) => void
  /** Told why something could not be written. */
  readonly storage: { readonly note: (reason: Cause) => void }
  /** Called after each callback that was written to the log. */
  readonly onCallback: (id: CallbackId) => void
}

/** Logs and answers a callback that was not accepted. */
export type Refuse = (site: SiteId, failure: CallbackFailure, entry: LogEntry, timing: Timing) => Promise<Answer>

export function createRefuse({ index, now, log, storage, onCallback }: AnswerPorts): Refuse {
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

const ofDamage: ReadonlySet<Cause['code']> = new Set(['index_damaged', 'index_not_ours', 'index_rebuilding'])

/** Why a save could not be stored. While a damaged index is being rebuilt, it can be sent again in a moment. */
export const storageFailure = (reason: Cause): CallbackFailure =>
  ofDamage.has(reason.code) ? { kind: 'busy', state: 'opening' } : { kind: 'storage_failed', reason }

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

/** How the list of callbacks shows one that was not accepted. */
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

/** How it shows one that was accepted. */
export const resultOfAccepted = (
  { event }: Pick<SignedCallback, 'event'>,
  { outcome, versionId, duplicateOf }: Accepted,
  { steps, startedMs }: Timing,
): CallbackResult => ({
  outcome,
  httpStatus: 200,
  rc: 1,
  code: null,
  rm: successMessage[event],
  versionId,
  duplicateOf,
  steps: steps.list(),
  durationMs: performance.now() - startedMs,
})

export type WholeAnswer = (done: Accepted) => Promise<Result<Accepted, CallbackFailure>>

/**
 * Checks that the bytes of an answer are those that were stored, because a new save may be answered with an earlier blob.
 * Fetches them first if another member of the team stored them.
 */
export function createWholeAnswer({
  index,
  vault,
  log,
}: {
  readonly index: Pick<IndexReads, 'blobs'>
  readonly vault: Pick<Vault, 'locate'>
  readonly log: (line: string) => void
}): WholeAnswer {
  const checkedFiles = createCheckedFiles(log)
  return async (done) => {
    const place = done.answer && index.blobs.find(done.answer)
    try {
      if (done.answer === null || !place) return ok(done)
      const state = await checkedFiles.stateOf(done.answer, await vault.locate(place))
      return state === 'whole' ? ok(done) : fail({ kind: 'storage_failed', reason: cause('file_altered') })
    } catch (error) {
      return fail({ kind: 'storage_failed', reason: storageCause(error) })
    }
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

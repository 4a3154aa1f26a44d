import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

import type { CauseCode } from '../../../contract/cause.ts'
import { cause } from '../../../contract/cause.ts'
import { failureAnswer } from '../../../contract/protocol/answer.ts'
import type { CallbackBody, SignedCallback } from '../../../contract/protocol/callback.ts'
import { judgeCallback } from '../../../contract/protocol/callback.ts'
import type { CallbackFailure } from '../../../contract/protocol/failure.ts'
import { failureFacts } from '../../../contract/protocol/failure.ts'
import type { CallbackId } from '../../../contract/ids.ts'
import { probeEvent } from '../../../contract/domain/probe.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { Site } from '../../../contract/domain/site.ts'
import type { Arrival, Ending } from '../../library/db/callbacks.ts'
import { isDiskFault, storageCause, storageReason } from '../../platform/disk/storage-reason.ts'
import { faultPlace } from '../../../contract/domain/fault-place.ts'
import type { SiteSecrets } from '../../library/secrets/site-secrets.ts'
import type { Delivery, LogEntry } from './admission.ts'
import { admit } from './admission.ts'
import type { Answer } from './answers.ts'
import { accepted, failed, probed } from './answers.ts'
import type { BodyReader } from './body-reader.ts'
import type { Save } from './content.ts'
import type { Downloader } from './download.ts'
import type { Accepted, IngestPorts } from './ingest.ts'
import { endingOfAccepted, ingest, storedDelivery } from './ingest.ts'
import { createQueue } from './queue.ts'
import { createRefusalLog } from './refusal-log.ts'
import { checkRules, ruleFacts } from './rules.ts'
import { recordSteps, step } from './steps.ts'

export interface IntakePorts extends IngestPorts {
  readonly secrets: SiteSecrets
  readonly bodies: BodyReader
  readonly downloader: Downloader
  readonly now: () => Date
  readonly log: (line: string) => void
  /** Whether disk or index has failed since the library was opened, and how; nothing is acknowledged any more then. */
  readonly diskFault: () => CauseCode | null
  readonly onDiskFault: (error: unknown) => void
  /** Told after each callback that was written to the log. */
  readonly onCallback: (id: CallbackId) => void
}

/** What a callback went through so far, and when that began. */
type Way = Pick<Save, 'steps' | 'startedMs'>

type Judgement =
  | { readonly kind: 'turned-away'; readonly failure: CallbackFailure; readonly entry: LogEntry }
  | { readonly kind: 'allowed'; readonly callback: SignedCallback; readonly entry: LogEntry }

/** Takes callbacks in, judges them, does the work of those that pass, and answers every one. */
export function createIntake(ports: IntakePorts) {
  const { index, secrets, bodies, downloader, now, log } = ports
  const rules = ruleFacts(index, now)
  // Most of a save is waiting, for the service and the disk, and saves that wait together share syncs. The threads that
  // unpack are fewer: what is in memory does not grow with the jobs.
  const queue = createQueue({ maxRunning: 16, maxWaiting: 64 })
  const cut = new AbortController()
  let isStopping = false
  const logRefusal = createRefusalLog((ends) => index.callbacks.record(ends))

  const arrivalOf = (site: string, entry: LogEntry): Arrival => ({
    id: randomUUID() as CallbackId,
    site,
    receivedAt: now().toISOString(),
    kind: 'unknown',
    materialId: null,
    contentUrl: null,
    signature: 'missing',
    payload: null,
    ...entry,
  })

  /** Writes down and answers a callback that ends here. */
  async function turnAway(site: string, failure: CallbackFailure, entry: LogEntry, way: Way): Promise<Answer> {
    const arrival = arrivalOf(site.slice(0, 100), entry)
    try {
      await logRefusal(arrival, endingOfFailure(failure, way))
      ports.onCallback(arrival.id)
    } catch (error) {
      log(`a refused callback could not be logged: ${storageReason(error)}`)
    }
    return failed(failure)
  }

  /** What the contract and the rules of this library say of a signed callback. */
  function judge(site: Site, body: CallbackBody, entry: LogEntry): Judgement {
    const judged = judgeCallback(body, site)
    if (!judged.ok) return { kind: 'turned-away', failure: judged.failure, entry }
    const callback = judged.value
    const known: LogEntry = { ...entry, kind: callback.event }
    // What was stored is answered as it was then, whatever the rules say by now.
    const { event, materialId, contentUrl } = callback
    const isStored = index.callbacks.storedDelivery(site.id, event, materialId, contentUrl.signed) !== null
    if (!isStored && !ports.isConfirmed(site))
      return { kind: 'turned-away', failure: { kind: 'site_unconfirmed' }, entry: known }
    const allowed = isStored ? ok(null) : checkRules(site, callback, rules)
    if (!allowed.ok) return { kind: 'turned-away', failure: allowed.failure, entry: known }
    return { kind: 'allowed', callback, entry: known }
  }

  async function receive(delivery: Delivery): Promise<Answer> {
    const { site, signature } = delivery
    const startedMs = performance.now()
    const steps = recordSteps()
    const way: Way = { steps, startedMs }
    const admission = await steps.time('verify', () => admit(secrets, bodies, delivery))
    if (admission.kind === 'turned-away') return turnAway(site.id, admission.failure, admission.entry, way)
    const { body } = admission
    delivery.onSigned?.()
    if (body.event === probeEvent) return probed(body.signed.materialId, admission.secret)

    const judgement = await steps.time('rules', () => judge(site, body, admission.entry))
    if (judgement.kind === 'turned-away') return turnAway(site.id, judgement.failure, judgement.entry, way)
    const { callback, entry } = judgement

    const arrival = arrivalOf(site.id, entry)
    const { id, receivedAt, payload, headers = [], bodyBytes = null } = arrival
    const request = { payload, headers, bodyBytes }
    const save: Save = { id, site, callback, receivedAt, request, steps, startedMs }
    const queuedMs = performance.now()
    // The font sets of a site are one line of saves, each material is one.
    const line = callback.event === 'article_saved' ? `material ${callback.materialId}` : 'fonts'
    const answer = isStopping
      ? null
      : queue.run(`${site.id} ${line}`, () => {
          steps.add([step('wait', queuedMs)])
          return perform(save, arrival, signature?.trim() ?? '')
        })
    return answer ?? turnAway(site.id, { kind: 'busy', ...(isStopping && { state: 'closing' }) }, entry, way)
  }

  /** Runs one save to its end; from here on the answer does not depend on whether anybody still waits for it. */
  async function perform(save: Save, arrival: Arrival, signature: string): Promise<Answer> {
    const { id, site, callback } = save
    const { materialId, contentUrl } = callback
    const repeated = storedDelivery(index, save)
    if (repeated) return repeat(save, arrival, repeated)
    const broken = ports.diskFault()
    if (broken !== null) return turnAway(site.id, { kind: 'storage_failed', reason: cause(broken) }, arrival, save)
    let isListed = false
    const end = (ending: Ending): void =>
      isListed ? index.callbacks.finish(id, ending) : index.callbacks.record([{ arrival, ending }])
    let result: Result<Accepted, CallbackFailure>
    try {
      result = await ingest(ports, save, async (path) => {
        const fetching = downloader.download({ site, materialId, contentUrl, signature, path, signal: cut.signal })
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
    // Behind the answer.
    setImmediate(() => ports.onCallback(id))
    return result.ok ? accepted(callback.event, result.value) : failed(result.failure)
  }

  /** A stored delivery is answered as it was then, also when nothing can be written: only the list of callbacks lacks it. */
  function repeat(save: Save, arrival: Arrival, repeated: Accepted): Answer {
    try {
      index.callbacks.record([{ arrival, ending: endingOfAccepted(save, repeated) }])
    } catch (error) {
      log(`a repeated callback could not be logged: ${storageReason(error)}`)
    }
    ports.onCallback(save.id)
    return accepted(save.callback.event, repeated)
  }

  return {
    receive,
    /** A request that ended before its body was looked at; `startedMs`, of `performance.now()`, is when it came. */
    turnAway(site: string, failure: CallbackFailure, startedMs: number): Promise<Answer> {
      const steps = recordSteps()
      steps.add([step('receive', startedMs)])
      return turnAway(site, failure, {}, { steps, startedMs })
    },
    idle: queue.idle,
    /** Waits for what runs, at most `graceMs`; then downloads are cut, and what is unacknowledged is given up. */
    async stop(graceMs: number): Promise<void> {
      isStopping = true
      const givenUp = new Promise<void>((resolve) => cut.signal.addEventListener('abort', () => resolve()))
      const giveUp = setTimeout(() => cut.abort(), graceMs)
      await Promise.race([queue.idle(), givenUp])
      clearTimeout(giveUp)
    },
  }
}

function endingOfFailure(failure: CallbackFailure, { steps, startedMs }: Way): Ending {
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

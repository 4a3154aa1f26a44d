import { randomUUID } from 'node:crypto'

import { failureAnswer } from '../../contract/answer.ts'
import { judgeCallback } from '../../contract/callback.ts'
import type { CallbackFailure } from '../../contract/failure.ts'
import type { CallbackId } from '../../contract/ids.ts'
import { probeEvent } from '../../contract/probe.ts'
import type { Result } from '../../contract/result.ts'
import { fail } from '../../contract/result.ts'
import type { Arrival, Ending } from '../db/callbacks.ts'
import type { SiteSecrets } from '../secrets/site-secrets.ts'
import type { Delivery, LogEntry } from './admission.ts'
import { admit } from './admission.ts'
import type { Answer } from './answers.ts'
import { accepted, failed, probed } from './answers.ts'
import type { Save } from './content.ts'
import type { Downloader } from './download.ts'
import type { Accepted, IngestPorts } from './ingest.ts'
import { endingOfAccepted, ingest } from './ingest.ts'
import { createQueue } from './queue.ts'
import { createRefusalLog } from './refusal-log.ts'
import { checkRules } from './rules.ts'
import { recordSteps } from './steps.ts'
import { isDiskFault, storageReason } from './storage-reason.ts'

export interface IntakePorts extends IngestPorts {
  readonly secrets: SiteSecrets
  readonly downloader: Downloader
  readonly now: () => Date
  readonly log: (line: string) => void
  /** Told after each callback that was written to the log. */
  readonly onCallback: (id: CallbackId) => void
}

/** Takes callbacks in, judges them, does the work of those that pass, and answers every one. */
export function createIntake(ports: IntakePorts) {
  const { index, secrets, downloader, now, log } = ports
  // Two jobs use both halves of the work, network and processor; the rest waits in order.
  const queue = createQueue({ maxRunning: 2, maxWaiting: 64 })
  const cut = new AbortController()
  let isStopping = false
  const logRefusal = createRefusalLog((ends) => index.callbacks.record(ends))
  let diskFault: string | null = null

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
  async function turnAway(site: string, failure: CallbackFailure, entry: LogEntry = {}): Promise<Answer> {
    const arrival = arrivalOf(site.slice(0, 100), entry)
    try {
      await logRefusal(arrival, endingOfFailure(failure, []))
      ports.onCallback(arrival.id)
    } catch (error) {
      log(`a refused callback could not be logged: ${storageReason(error)}`)
    }
    return failed(failure)
  }

  async function receive(delivery: Delivery): Promise<Answer> {
    const { site, signature } = delivery
    const admission = await admit(secrets, delivery)
    if (admission.kind === 'turned-away') return turnAway(site.id, admission.failure, admission.entry)
    const { body, entry } = admission
    if (body.event === probeEvent) return probed(body.signed.materialId, admission.secret)

    const judged = judgeCallback(body, site)
    if (!judged.ok) return turnAway(site.id, judged.failure, entry)
    const callback = judged.value
    const known: LogEntry = { ...entry, kind: callback.event }
    const allowed = checkRules(site, callback, {
      isKnownMaterial: (id, materialId) => index.materials.find(id, materialId) !== null,
    })
    if (!allowed.ok) return turnAway(site.id, allowed.failure, known)

    const arrival = arrivalOf(site.id, known)
    const save: Save = { id: arrival.id, site, callback, receivedAt: arrival.receivedAt, steps: recordSteps() }
    // The font sets of a site are one line of saves, each material is one.
    const line = callback.event === 'article_saved' ? `material ${callback.materialId}` : 'fonts'
    const answer = isStopping
      ? null
      : queue.run(`${site.id} ${line}`, () => perform(save, arrival, signature?.trim() ?? ''))
    return answer ?? turnAway(site.id, { kind: 'busy' }, known)
  }

  /** Runs one save to its end; from here on the answer does not depend on whether anybody still waits for it. */
  async function perform(save: Save, arrival: Arrival, signature: string): Promise<Answer> {
    const { id, site, callback, steps } = save
    const { materialId, contentUrl } = callback
    if (diskFault !== null) return failed({ kind: 'storage_failed', reason: diskFault })
    let result: Result<Accepted, CallbackFailure>
    try {
      index.callbacks.begin(arrival)
      result = await ingest(ports, save, (path) =>
        downloader.download({ site, materialId, contentUrl, signature, path, signal: cut.signal }),
      )
      if (!result.ok) index.callbacks.finish(id, endingOfFailure(result.failure, steps.list()))
      // What is stored was written down by the transaction that stored it.
      else if (result.value.outcome === 'duplicate') index.callbacks.finish(id, endingOfAccepted(save, result.value))
    } catch (error) {
      result = fail({ kind: 'storage_failed', reason: storageReason(error) })
      log(`save ${id} could not be stored: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
      if (isDiskFault(error)) diskFault = 'the disk reported an error; start Galley again when it is mended'
      finishQuietly(id, endingOfFailure(result.failure, steps.list()))
    }
    ports.onCallback(id)
    return result.ok ? accepted(callback.event, result.value) : failed(result.failure)
  }

  function finishQuietly(id: CallbackId, ending: Ending): void {
    try {
      index.callbacks.finish(id, ending)
    } catch (error) {
      // The row stays open and reads as interrupted after the next start, which is true enough.
      log(`the end of callback ${id} could not be logged: ${storageReason(error)}`)
    }
  }

  return {
    receive,
    turnAway,
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

function endingOfFailure(failure: CallbackFailure, steps: Ending['steps']): Ending {
  const { httpStatus, outcome, body } = failureAnswer(failure)
  return { outcome, httpStatus, rc: 0, code: body.code, rm: body.rm, versionId: null, duplicateOf: null, steps }
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import { recordSteps, step, storageReason } from '@galley/platform'
import type { CallbackFailure, SiteId } from '@galley/wire'

import type { Arrival } from '../db/callback/callbacks.ts'
import type { IndexReads } from '../db/library-index.ts'
import type { Site } from '../records/site.ts'
import { probeEvent } from '../secrets/probe-proof.ts'
import type { SiteSecrets } from '../secrets/site-secrets.ts'
import type { Admission, IncomingDelivery } from './admit.ts'
import { admit, createNoteSuspect, signatureOf } from './admit.ts'
import type { Accepted, Answer, AnswerPorts, Refuse, Timing } from './answer.ts'
import {
  accepted,
  arrivalOf,
  createRefuse,
  createWholeAnswer,
  failed,
  probed,
  resultOfAccepted,
  storageFailure,
} from './answer.ts'
import type { BodyReader } from './body-reader.ts'
import type { Save } from './content.ts'
import type { RuleFacts } from './judge.ts'
import { checkRules, judge, ruleFacts, storedDelivery } from './judge.ts'
import { createQueue } from './queue.ts'
import type { RecordedStorePorts } from './store.ts'
import { storeAndRecord } from './store.ts'

export interface ReceivePorts
  extends Omit<RecordedStorePorts, 'wholeAnswer' | 'cut'>, Pick<AnswerPorts, 'now' | 'onCallback'> {
  readonly secrets: SiteSecrets
  readonly bodies: BodyReader
  /** Whether a person has confirmed where this site downloads from and publishes to. */
  readonly isConfirmed: (site: Site) => boolean
  /** Applies the newest entries of the team, as far as its bucket can be reached; null outside a team library. */
  readonly syncTeam: (() => Promise<void>) | null
}

/** A request whose body is not read. */
export interface UnreadRequest {
  /** Its signature header. */
  readonly signature: string | undefined
  /** Its arrival, by `performance.now()`. */
  readonly startedMs: number
}

/**
 * Receives callbacks: who sent it (`admit.ts`), may it be stored (`judge.ts`), store it (`store.ts`), answer it
 * (`answer.ts`). Every one is answered.
 */
export function createReceive(ports: ReceivePorts) {
  const { index, secrets, bodies, now } = ports
  const rules = ruleFacts(index, now)
  // Saves mostly wait for the service and the disk, and waiting saves share syncs. There are fewer unpacking threads, so
  // memory does not grow with the number of jobs.
  const queue = createQueue({ maxRunning: 16, maxWaiting: 64, ownRunning: 2, ownWaiting: 8 })
  const refuse = createRefuse(ports)
  const noteSuspect = createNoteSuspect(ports)
  const inFlight = createInFlight(queue.idle)
  const { repeat, perform } = createJobs(ports, refuse, inFlight.cut)

  async function receive(delivery: IncomingDelivery): Promise<Answer> {
    const { site } = delivery
    const timing: Timing = { steps: recordSteps(), startedMs: performance.now() }
    const admission = await timing.steps.time('verify', () => admit(secrets, bodies, delivery))
    if (admission.kind === 'refused') {
      const { failure, entry } = admission
      return refuse(site.id, failure, noteSuspect(site, failure, entry), timing)
    }
    const { body } = admission
    delivery.onSigned?.()
    if (body.event === probeEvent) return probed(body.signed.materialId, site.id, admission.secret)
    return inFlight.add(decide(delivery, admission, timing))
  }

  async function decide(
    { signature, site: named }: IncomingDelivery,
    { body, entry: signed }: Exclude<Admission, { readonly kind: 'refused' }>,
    timing: Timing,
  ): Promise<Answer> {
    const { steps } = timing
    // A material, rule or version that looks unknown here may have changed on another computer a second ago. A bucket
    // that does not answer would keep the library open.
    if (ports.syncTeam) await steps.time('rules', () => Promise.race([ports.syncTeam?.(), inFlight.stopped]))
    const site = ports.syncTeam ? index.sites.find(named.id) : named
    if (site === null) return refuse(named.id, { kind: 'not_found' }, signed, timing)

    // From here to the queue in one turn: a save that ends meanwhile could not be noticed.
    const judgedMs = performance.now()
    const judgement = judge(ports, rules, site, body)
    const { callback } = judgement
    steps.add([step('rules', judgedMs)])
    const entry = callback === null ? signed : { ...signed, kind: callback.event }
    if (judgement.kind === 'refused') return refuse(site.id, judgement.failure, entry, timing)
    const busy = () =>
      refuse(site.id, { kind: 'busy', ...(inFlight.isStopping() && { state: 'closing' }) }, entry, timing)
    if (inFlight.isStopping()) return busy()

    const arrival = arrivalOf(site.id, entry, now())
    const save: Save = { ...requestOf(arrival), site, callback: judgement.callback, ...timing }
    // What is stored does not wait for saves in progress: they do not change its answer.
    if (judgement.kind === 'stored') return queue.runNow(() => repeat(save, arrival, judgement.accepted))
    const queuedMs = performance.now()
    return (
      queue.run(site.id, queueKey(save), (hasWaited) => {
        steps.add([step('wait', queuedMs)])
        // By the save that it waited for.
        const stored = hasWaited ? storedDelivery(index, site, save.callback) : null
        if (stored) return repeat(save, arrival, stored)
        return perform(
          ports.syncTeam ? { ...save, refusal: () => refusalNow(index, rules, save) } : save,
          arrival,
          signature?.trim() ?? '',
        )
      }) ?? busy()
    )
  }

  return {
    receive,
    /** Rejects a request before its body is read. */
    refuseDelivery(site: SiteId, failure: CallbackFailure, { signature, startedMs }: UnreadRequest): Promise<Answer> {
      const steps = recordSteps()
      steps.add([step('receive', startedMs)])
      return refuse(site, failure, { signature: signatureOf(signature) }, { steps, startedMs })
    },
    idle: queue.idle,
    stop: inFlight.stop,
  }
}

/** The jobs of the queue: the answer to a stored delivery, and a save. */
function createJobs(ports: ReceivePorts, refuse: Refuse, cut: AbortSignal) {
  const wholeAnswer = createWholeAnswer(ports)
  const saving = { ...ports, wholeAnswer, cut }

  /**
   * A stored delivery gets the same answer again, even if nothing can be written: then it is only missing from the list of
   * callbacks.
   */
  async function repeat(save: Save, arrival: Arrival, stored: Accepted): Promise<Answer> {
    const whole = await wholeAnswer(stored)
    if (!whole.ok) return refuse(save.site.id, whole.failure, arrival, save)
    try {
      ports.index.callbacks.record([{ arrival, result: resultOfAccepted(save.callback, stored, save) }])
    } catch (error) {
      ports.log(`a repeated callback could not be logged: ${storageReason(error)}`)
    }
    ports.onCallback(save.id)
    return accepted(save.callback.event, stored)
  }

  /** Runs a save to its end. From here on, the result does not depend on whether the client still waits. */
  async function perform(save: Save, arrival: Arrival, signature: string): Promise<Answer> {
    // A disk that may be mended is tried.
    const broken = ports.storage.fault()
    if (broken !== null && broken.until !== 'mended')
      return refuse(save.site.id, storageFailure(broken.cause), arrival, save)
    const result = await storeAndRecord(saving, save, arrival, signature)
    // After the answer.
    setImmediate(() => ports.onCallback(save.id))
    return result.ok ? accepted(save.callback.event, result.value) : failed(result.failure)
  }

  return { repeat, perform }
}

/** The unsigned parts of a request that are kept with its save. */
const requestOf = ({ id, receivedAt, payload, headers, bodyBytes }: Arrival) => ({
  id,
  receivedAt,
  request: { payload, headers: headers ?? [], bodyBytes: bodyBytes ?? null },
})

/** One save at a time for a material, and for all font sets of a site. */
const queueKey = ({ callback }: Save): string =>
  callback.event === 'article_saved' ? `material ${callback.materialId}` : 'fonts'

/** Why a save may no longer be stored, by what the team has changed since. */
function refusalNow(
  { sites }: Pick<IndexReads, 'sites'>,
  rules: RuleFacts,
  { site, callback }: Save,
): CallbackFailure | null {
  const found = sites.find(site.id)
  if (found === null) return { kind: 'not_found' }
  const allowed = checkRules(found, callback, rules)
  return allowed.ok ? null : allowed.failure
}

/** Signed callbacks that are not answered yet, and how they end. */
function createInFlight(queueIdle: () => Promise<void>) {
  const stopping = Promise.withResolvers<void>()
  let isStopping = false
  const cut = new AbortController()
  const answers = new Set<Promise<Answer>>()
  return {
    isStopping: () => isStopping,
    stopped: stopping.promise,
    /** Aborts downloads. */
    cut: cut.signal,
    add(answer: Promise<Answer>): Promise<Answer> {
      answers.add(answer)
      return answer.finally(() => answers.delete(answer))
    },
    /** Waits up to `graceMs` for running jobs; then aborts downloads and drops unacknowledged jobs. */
    async stop(graceMs: number): Promise<void> {
      isStopping = true
      stopping.resolve()
      const givenUp = new Promise<void>((resolve) => cut.signal.addEventListener('abort', () => resolve()))
      const giveUp = setTimeout(() => cut.abort(), graceMs)
      await Promise.race([Promise.all([queueIdle(), Promise.allSettled(answers)]), givenUp])
      clearTimeout(giveUp)
      // The end of the last save is announced in this turn.
      await nextTurn()
    },
  }
}

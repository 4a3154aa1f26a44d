import { setImmediate as nextTurn } from 'node:timers/promises'
import { recordSteps, step } from '@galley/platform'
import type { CallbackBody, CallbackFailure, SignedCallback, SiteId } from '@galley/wire'
import { judgeCallback, ok } from '@galley/wire'

import type { Arrival } from '../db/callbacks.ts'
import type { Site } from '../records/site.ts'
import { probeEvent } from '../secrets/probe-proof.ts'
import type { SiteSecrets } from '../secrets/site-secrets.ts'
import { createCheckedFiles } from '../vault/checked-files.ts'
import type { Admission, IncomingDelivery, LogEntry } from './admission.ts'
import { admit, signatureOf } from './admission.ts'
import type { Answer } from './answers.ts'
import { probed } from './answers.ts'
import type { BodyReader } from './body-reader.ts'
import type { Save } from './content.ts'
import type { SavePorts } from './perform.ts'
import { answerRepeated, perform } from './perform.ts'
import { createQueue } from './queue.ts'
import type { Timing } from './refusals.ts'
import { arrivalOf, createRefuseDelivery } from './refusals.ts'
import type { RuleFacts } from './rules.ts'
import { checkRules, ruleFacts } from './rules.ts'
import { createNoteSuspect } from './suspect.ts'

export interface IntakePorts extends SavePorts {
  readonly secrets: SiteSecrets
  readonly bodies: BodyReader
  readonly now: () => Date
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

type Judgement =
  | { readonly kind: 'refused'; readonly failure: CallbackFailure; readonly entry: LogEntry }
  | { readonly kind: 'allowed'; readonly callback: SignedCallback; readonly entry: LogEntry }

/** Receives callbacks, validates them, processes the valid ones, and answers every one. */
export function createIntake(ports: IntakePorts) {
  const { index, secrets, bodies, now } = ports
  const rules = ruleFacts(index, now)
  // Saves mostly wait for the service and the disk, and waiting saves share syncs. There are fewer unpacking threads, so
  // memory does not grow with the number of jobs.
  const queue = createQueue({ maxRunning: 16, maxWaiting: 64, ownRunning: 2, ownWaiting: 8 })
  const cut = new AbortController()
  let isStopping = false
  const refuseDelivery = createRefuseDelivery(ports)
  const noteSuspect = createNoteSuspect(ports)
  const checkedFiles = createCheckedFiles(ports.log)
  const inFlight = createInFlight()
  const performPorts = { ...ports, refuseDelivery, checkedFiles, cut: cut.signal }

  async function receive(delivery: IncomingDelivery): Promise<Answer> {
    const { site } = delivery
    const timing: Timing = { steps: recordSteps(), startedMs: performance.now() }
    const admission = await timing.steps.time('verify', () => admit(secrets, bodies, delivery))
    if (admission.kind === 'refused') {
      const { failure, entry } = admission
      return refuseDelivery(site.id, failure, noteSuspect(site, failure, entry), timing)
    }
    const { body } = admission
    delivery.onSigned?.()
    if (body.event === probeEvent) return probed(body.signed.materialId, site.id, admission.secret)
    return inFlight.add(decide(delivery, admission, timing))
  }

  async function decide(
    { signature, site: named }: IncomingDelivery,
    admission: Exclude<Admission, { readonly kind: 'refused' }>,
    timing: Timing,
  ): Promise<Answer> {
    const { body } = admission
    const { steps } = timing
    let site = named
    // A material, rule or version that looks unknown here may have changed on another computer a second ago.
    if (ports.syncTeam) {
      // A bucket that does not answer would keep the library open.
      await steps.time('rules', () => Promise.race([ports.syncTeam?.(), inFlight.stopped]))
      const found = index.sites.find(site.id)
      if (found === null) return refuseDelivery(site.id, { kind: 'not_found' }, admission.entry, timing)
      site = found
    }
    const judgement = await steps.time('rules', () => judge(ports, rules, site, body, admission.entry))
    if (judgement.kind === 'refused') return refuseDelivery(site.id, judgement.failure, judgement.entry, timing)
    const { callback, entry } = judgement

    const arrival = arrivalOf(site.id, entry, now())
    const refusal = (): CallbackFailure | null => {
      const found = index.sites.find(site.id)
      const allowed = found && checkRules(found, callback, rules)
      if (allowed === null) return { kind: 'not_found' }
      return allowed.ok ? null : allowed.failure
    }
    const save: Save = { ...requestOf(arrival), site, callback, ...timing, ...(ports.syncTeam && { refusal }) }
    const queuedMs = performance.now()
    // All font callbacks of a site share a queue key; each material has its own.
    const queueKey = callback.event === 'article_saved' ? `material ${callback.materialId}` : 'fonts'
    const enqueue = () =>
      queue.run(site.id, queueKey, () => {
        steps.add([step('wait', queuedMs)])
        return perform(performPorts, save, arrival, signature?.trim() ?? '')
      })
    // What is stored does not wait for saves in progress: they do not change its answer.
    const answer = isStopping ? null : (answerRepeated(performPorts, save, arrival, queue.runNow) ?? enqueue())
    return answer ?? refuseDelivery(site.id, { kind: 'busy', ...(isStopping && { state: 'closing' }) }, entry, timing)
  }

  return {
    receive,
    /** Rejects a request before its body is read. */
    refuseDelivery(site: SiteId, failure: CallbackFailure, { signature, startedMs }: UnreadRequest): Promise<Answer> {
      const steps = recordSteps()
      steps.add([step('receive', startedMs)])
      return refuseDelivery(site, failure, { signature: signatureOf(signature) }, { steps, startedMs })
    },
    idle: queue.idle,
    /** Waits up to `graceMs` for running jobs; then aborts downloads and drops unacknowledged jobs. */
    async stop(graceMs: number): Promise<void> {
      isStopping = true
      const givenUp = new Promise<void>((resolve) => cut.signal.addEventListener('abort', () => resolve()))
      const giveUp = setTimeout(() => cut.abort(), graceMs)
      await Promise.race([Promise.all([queue.idle(), inFlight.stop()]), givenUp])
      clearTimeout(giveUp)
      // The end of the last save is announced in this turn.
      await nextTurn()
    },
  }
}

/** The unsigned parts of a request that are kept with its save. */
const requestOf = ({ id, receivedAt, payload, headers, bodyBytes }: Arrival) => ({
  id,
  receivedAt,
  request: { payload, headers: headers ?? [], bodyBytes: bodyBytes ?? null },
})

/** Signed callbacks that are not answered yet. */
function createInFlight() {
  const stopping = Promise.withResolvers<void>()
  const answers = new Set<Promise<Answer>>()
  return {
    stopped: stopping.promise,
    add(answer: Promise<Answer>): Promise<Answer> {
      answers.add(answer)
      return answer.finally(() => answers.delete(answer))
    },
    /** Resolves when all of them have ended. */
    stop(): Promise<unknown> {
      stopping.resolve()
      return Promise.allSettled(answers)
    },
  }
}

/** Checks a signed callback against the contract and the library's rules. */
function judge(
  { index, isConfirmed }: IntakePorts,
  rules: RuleFacts,
  site: Site,
  body: CallbackBody,
  entry: LogEntry,
): Judgement {
  const judged = judgeCallback(body, site)
  if (!judged.ok) return { kind: 'refused', failure: judged.failure, entry }
  const callback = judged.value
  const known: LogEntry = { ...entry, kind: callback.event }
  // A stored delivery gets its original response, whatever the rules are now.
  const { event, materialId, contentUrl } = callback
  const isStored = index.callbacks.storedDelivery(site.id, event, materialId, contentUrl.signed) !== null
  if (!isStored && !isConfirmed(site)) return { kind: 'refused', failure: { kind: 'site_unconfirmed' }, entry: known }
  const allowed = isStored ? ok(null) : checkRules(site, callback, rules)
  if (!allowed.ok) return { kind: 'refused', failure: allowed.failure, entry: known }
  return { kind: 'allowed', callback, entry: known }
}

import { createHmac, randomUUID } from 'node:crypto'

import { failureAnswer, successFrame } from '../../contract/answer.ts'
import type { CallbackBody } from '../../contract/callback.ts'
import { claimedKind, judgeCallback, readCallbackBody } from '../../contract/callback.ts'
import type { CallbackFailure } from '../../contract/failure.ts'
import type { CallbackId, Sha256 } from '../../contract/ids.ts'
import { redactPayload } from '../../contract/metadata.ts'
import { probeEvent, probeText } from '../../contract/probe.ts'
import type { Result } from '../../contract/result.ts'
import { fail } from '../../contract/result.ts'
import type { Site } from '../../contract/site.ts'
import type { Arrival, Ending } from '../db/callbacks.ts'
import type { SiteSecrets } from '../secrets/site-secrets.ts'
import type { Save } from './content.ts'
import type { Downloader } from './download.ts'
import type { Accepted, IngestPorts } from './ingest.ts'
import { endingOfAccepted, ingest } from './ingest.ts'
import { createQueue } from './queue.ts'
import { createRefusalLog } from './refusal-log.ts'
import { checkRules } from './rules.ts'
import { isAuthorized, isSigned } from './signature.ts'
import { recordSteps } from './steps.ts'
import { isDiskFault, storageReason } from './storage-reason.ts'

/** One callback as HTTP brought it: the body is complete, nothing of it is trusted. */
export interface Delivery {
  readonly site: Site
  readonly signature: string | undefined
  readonly authorization: string | undefined
  readonly body: Buffer
}

/** What goes back: a JSON text, around a stored JSON blob where there is one. */
export interface Answer {
  readonly httpStatus: number
  readonly before: string
  readonly blob: Sha256 | null
  readonly after: string
}

export interface IntakePorts extends IngestPorts {
  readonly secrets: SiteSecrets
  readonly downloader: Downloader
  readonly now: () => Date
  readonly log: (line: string) => void
  /** Told after each callback that was written to the log. */
  readonly onCallback: (id: CallbackId) => void
}

/** Larger payloads are not kept in the log: a replay then has no metadata and fonts tree to go by. */
const keptPayloadChars = 256 * 1024
/** Unsigned texts are anybody's: enough of them to recognise, not enough to fill a disk. */
const keptUnsignedChars = 500

/** Takes callbacks in, judges them, does the work of those that pass, and answers every one. */
export function createIntake(ports: IntakePorts) {
  const { index, secrets, downloader, now, log } = ports
  // Two jobs use both halves of the work, network and processor; the rest waits in order.
  const queue = createQueue({ maxRunning: 2, maxWaiting: 64 })
  const cut = new AbortController()
  let isStopping = false
  const logRefusal = createRefusalLog((ends) => index.callbacks.record(ends))
  let diskFault: string | null = null

  /** Writes down and answers a callback that ends here. */
  async function turnAway(site: string, failure: CallbackFailure, known: Partial<Arrival> = {}): Promise<Answer> {
    const arrival: Arrival = {
      id: randomUUID() as CallbackId,
      site: site.slice(0, keptUnsignedChars),
      receivedAt: now().toISOString(),
      kind: 'unknown',
      materialId: null,
      contentUrl: null,
      signature: 'missing',
      payload: null,
      ...known,
    }
    try {
      await logRefusal(arrival, endingOfFailure(failure, []))
      ports.onCallback(arrival.id)
    } catch (error) {
      log(`a refused callback could not be logged: ${storageReason(error)}`)
    }
    return failed(failure)
  }

  /** From authorization to shape: who sent it, and is it a callback of the contract. */
  async function judge({ site, signature, authorization, body }: Delivery) {
    const credentials = await secrets.callbackAuth(site)
    if (!credentials.ok) return refuse({ kind: 'secrets_unavailable', state: credentials.failure }, null)
    if (credentials.value && !isAuthorized(authorization, credentials.value))
      return refuse({ kind: 'unauthorized' }, null)

    const text = decodedText(body)
    if (text === null) return refuse({ kind: 'invalid_request', problem: 'it is not UTF-8' }, null)
    const read = readCallbackBody(text)
    if (!read.ok) return refuse(read.failure, null)
    const claimed = { body: read.value, text }

    const secret = await secrets.secret(site.id)
    if (!secret.ok) return refuse({ kind: 'secrets_unavailable', state: secret.failure }, claimed)
    const { materialId, contentUrl } = read.value.signed
    if (!isSigned(materialId, contentUrl, signature, secret.value)) {
      return refuse({ kind: 'invalid_signature', header: signature?.trim() ? 'wrong' : 'missing' }, claimed)
    }
    return { kind: 'signed', ...claimed, secret: secret.value } as const
  }

  async function receive(delivery: Delivery): Promise<Answer> {
    const { site, signature } = delivery
    const judged = await judge(delivery)
    if (judged.kind === 'refuse') {
      const state = signature?.trim() ? 'invalid' : 'missing'
      return turnAway(site.id, judged.failure, { signature: state, ...claims(judged.claimed, keptUnsignedChars) })
    }
    const { body, text, secret } = judged
    if (body.event === probeEvent) return probed(body.signed.materialId, secret)

    const known = { signature: 'valid', ...claims(judged, Infinity), payload: keptPayload(text) } as const
    const shaped = judgeCallback(body, site)
    if (!shaped.ok) return turnAway(site.id, shaped.failure, known)
    const callback = shaped.value
    const allowed = checkRules(site, callback, {
      isKnownMaterial: (id, materialId) => index.materials.find(id, materialId) !== null,
    })
    if (!allowed.ok) return turnAway(site.id, allowed.failure, { ...known, kind: callback.event })

    const save: Save = {
      id: randomUUID() as CallbackId,
      site,
      callback,
      receivedAt: now().toISOString(),
      steps: recordSteps(),
    }
    // The font sets of a site are one line of saves, each material is one.
    const line = callback.event === 'article_saved' ? `material ${callback.materialId}` : 'fonts'
    const work = isStopping ? null : queue.run(`${site.id} ${line}`, () => perform(save, signature ?? '', known))
    return work ?? turnAway(site.id, { kind: 'busy' }, { ...known, kind: callback.event })
  }

  /** Runs one save to its end; from here on the answer does not depend on whether anybody still waits for it. */
  async function perform(save: Save, signature: string, known: Partial<Arrival>): Promise<Answer> {
    const { id, site, callback, receivedAt, steps } = save
    const { event, materialId, contentUrl } = callback
    if (diskFault !== null) return failed({ kind: 'storage_failed', reason: diskFault })
    let result: Result<Accepted, CallbackFailure>
    try {
      index.callbacks.begin({
        payload: null,
        ...known,
        id,
        site: site.id,
        receivedAt,
        kind: event,
        materialId,
        contentUrl: contentUrl.signed,
        signature: 'valid',
      })
      const source = (path: string) =>
        downloader.download({ site, materialId, contentUrl, signature: signature.trim(), path, signal: cut.signal })
      result = await ingest(ports, save, source)
      if (!result.ok) index.callbacks.finish(id, endingOfFailure(result.failure, steps.list()))
      else if (result.value.outcome === 'duplicate') index.callbacks.finish(id, endingOfAccepted(save, result.value))
    } catch (error) {
      result = fail({ kind: 'storage_failed', reason: storageReason(error) })
      log(`save ${id} could not be stored: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
      if (isDiskFault(error)) diskFault = 'the disk reported an error; start Galley again when it is mended'
      finishQuietly(id, endingOfFailure(result.failure, steps.list()))
    }
    ports.onCallback(id)
    return result.ok ? accepted(save, result.value) : failed(result.failure)
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

interface Claimed {
  readonly body: CallbackBody
  readonly text: string
}

const refuse = (failure: CallbackFailure, claimed: Claimed | null) => ({ kind: 'refuse', failure, claimed }) as const

/** What the log may repeat of a body. */
function claims(claimed: Claimed | null, maxChars: number): Partial<Arrival> {
  if (!claimed) return {}
  const { body } = claimed
  return {
    kind: claimedKind(body),
    materialId: body.materialId?.slice(0, maxChars) ?? null,
    contentUrl: body.contentUrl?.slice(0, maxChars) ?? null,
  }
}

function keptPayload(text: string): string | null {
  const payload = redactPayload(text)
  return payload.length <= keptPayloadChars ? payload : null
}

function decodedText(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return null
  }
}

const whole = (httpStatus: number, body: unknown): Answer => ({
  httpStatus,
  before: JSON.stringify(body),
  blob: null,
  after: '',
})

function failed(failure: CallbackFailure): Answer {
  const { httpStatus, body } = failureAnswer(failure)
  return whole(httpStatus, body)
}

const accepted = ({ callback: { event } }: Save, { answer }: Accepted): Answer => ({
  httpStatus: 200,
  blob: answer,
  ...successFrame(event, answer !== null),
})

/** Proves to Galley's own probe that this listener holds the site's secret; stores nothing. */
const probed = (nonce: string, secret: string): Answer =>
  whole(200, {
    rc: 0,
    rm: 'This is Galley. A probe saves nothing.',
    code: 'probe',
    proof: createHmac('sha256', secret).update(probeText(nonce)).digest('hex'),
  })

function endingOfFailure(failure: CallbackFailure, steps: Ending['steps']): Ending {
  const { httpStatus, outcome, body } = failureAnswer(failure)
  return { outcome, httpStatus, rc: 0, code: body.code, rm: body.rm, versionId: null, duplicateOf: null, steps }
}

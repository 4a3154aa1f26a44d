import { redactPayload } from '@galley/wire'

import type { DeliveryResult } from './deliver.ts'
import type { CallbackOutcome } from './outcome.ts'

const keptCallbacks = 100
/** Payloads contain the site's metadata, which may be large. */
const keptPayloadsChars = 16 * 1024 * 1024
const shownChars = 4_000

/** The facts of a callback, independent of when it is sent. */
export interface CallbackFacts {
  readonly event: 'article_saved' | 'site_fonts_updated'
  readonly materialId: string
  readonly url: string
  /** JSON text. */
  readonly payload: string
}

/** The result of one exchange with the site. */
export interface Exchanged {
  readonly delivery: DeliveryResult
  readonly outcome: CallbackOutcome
  /** The answer of the local commands. */
  readonly report: string
}

/** Sends the callback and judges the answer; null when its version no longer exists. */
export type Exchange = () => Promise<Exchanged | null>

/** A callback as the start page and the local commands list it. */
export interface SentCallback {
  readonly id: number
  readonly event: CallbackFacts['event']
  readonly materialId: string
  readonly url: string
  /** The beginning of the payload, without secrets. */
  readonly payload: () => string
  readonly sentMs: number
  /** The callback that this one repeats. */
  readonly againOf: number | null
  /** null until the site has answered. */
  readonly end: CallbackEnd | null
}

/** A completed callback. */
export interface EndedCallback extends SentCallback {
  readonly end: CallbackEnd
}

interface CallbackEnd {
  readonly tookMs: number
  readonly httpStatus: number | null
  /** The beginning of the body; null when there was none. */
  readonly answer: string | null
  readonly outcome: CallbackOutcome
}

export interface SentCallbacks {
  /** Newest first. */
  readonly list: () => readonly SentCallback[]
  /** Sends a callback and records it; returns the report, or null when its version no longer exists. */
  readonly send: (facts: CallbackFacts, exchange: Exchange) => Promise<string | null>
  /**
   * Sends a listed callback again, with the same payload and signature; null when it or its version no longer exists.
   */
  readonly sendAgain: (id: number) => Promise<string | null>
}

/** Copies the text: a slice would keep the whole answer in memory. */
const beginningOf = (text: string): string =>
  text.length <= shownChars ? text : Buffer.from(`${text.slice(0, shownChars)}…`).toString()

/**
 * The last hundred callbacks that this process sent. They are not stored. `onEnded` is called for each completed one.
 */
export function createSentCallbacks(
  nowMs: () => number,
  onEnded: (callback: EndedCallback) => void = () => undefined,
): SentCallbacks {
  interface Entry {
    readonly facts: CallbackFacts
    readonly exchange: Exchange
    readonly shown: SentCallback
  }
  let entries: readonly Entry[] = []
  let lastId = 0

  function add(entry: Entry): void {
    let chars = 0
    entries = [entry, ...entries].filter(({ facts }, index) => {
      chars += facts.payload.length
      return index === 0 || (index < keptCallbacks && chars <= keptPayloadsChars)
    })
  }

  async function send(facts: CallbackFacts, exchange: Exchange, againOf: number | null): Promise<string | null> {
    const id = ++lastId
    const { event, materialId, url } = facts
    const payload = () => beginningOf(redactPayload(facts.payload))
    const sent = { id, event, materialId, url, payload, sentMs: nowMs(), againOf }
    add({ facts, exchange, shown: { ...sent, end: null } })
    const beganMs = performance.now()
    const exchanged = await exchange()
    const end = exchanged && endOf(exchanged, performance.now() - beganMs)
    entries = entries.flatMap((entry) => {
      if (entry.shown.id !== id) return [entry]
      return end === null ? [] : [{ ...entry, shown: { ...sent, end } }]
    })
    if (end !== null) onEnded({ ...sent, end })
    return exchanged?.report ?? null
  }

  return {
    list: () => entries.map(({ shown }) => shown),
    send: (facts, exchange) => send(facts, exchange, null),
    async sendAgain(id) {
      const entry = entries.find(({ shown }) => shown.id === id)
      return entry === undefined ? null : send(entry.facts, entry.exchange, id)
    },
  }
}

const endOf = ({ delivery, outcome }: Exchanged, tookMs: number): CallbackEnd => ({
  tookMs: Math.round(tookMs),
  httpStatus: delivery.httpStatus,
  answer: delivery.delivered ? beginningOf(delivery.text) : null,
  outcome,
})

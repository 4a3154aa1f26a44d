import type { CallbackEvent, CallbackFailure, FailureAnswer, Sha256, SiteId } from '@galley/wire'
import { failureAnswer, successFrame } from '@galley/wire'

import { probeProof } from '../secrets/probe-proof.ts'
import type { Accepted } from './ingest.ts'

/** The response: a JSON text, optionally around a stored JSON blob. */
export interface Answer {
  readonly httpStatus: number
  readonly before: string
  readonly blob: Sha256 | null
  readonly after: string
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

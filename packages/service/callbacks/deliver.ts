import { isUtf8 } from 'node:buffer'
import { errorCode } from '@galley/wire'
import type { Dispatcher } from 'undici'
import { errors, request } from 'undici'

import type { WebhookError } from './outcome.ts'

/** The maximum size of an answer; the state of a large material is a few megabytes. */
const answerLimitBytes = 64 * 1024 * 1024

/** A callback ready to be sent. */
export interface OutgoingCallback {
  readonly url: string
  /** The payload as JSON text. */
  readonly payload: string
  readonly signatureHeader: string
  readonly signature: string
  readonly authorization: string | null
}

/** The answer, of any kind, or why there is none. */
export type DeliveryResult =
  | { readonly delivered: true; readonly httpStatus: number; readonly text: string; readonly isUtf8: boolean }
  | {
      readonly delivered: false
      readonly httpStatus: number | null
      readonly error: WebhookError
      readonly message: string
    }

export interface DeliveryPorts {
  readonly dispatcher: Dispatcher
  readonly timeoutMs: number
  /** Aborted when the emulator closes. */
  readonly closing: AbortSignal
}

/** POSTs a callback once: no retries, no redirects, and the time limit covers the whole exchange. */
export async function deliver(callback: OutgoingCallback, ports: DeliveryPorts): Promise<DeliveryResult> {
  // Not AbortSignal.timeout: its timer would keep this callback in memory until the timeout ends.
  const stopped = new AbortController()
  const stop = (): void => stopped.abort()
  const deadline = setTimeout(stop, ports.timeoutMs)
  ports.closing.addEventListener('abort', stop)
  if (ports.closing.aborted) stop()
  let httpStatus: number | null = null
  try {
    const response = await request(callback.url, {
      method: 'POST',
      dispatcher: ports.dispatcher,
      signal: stopped.signal,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'galley-emulator',
        [callback.signatureHeader]: callback.signature,
        ...(callback.authorization === null ? {} : { authorization: callback.authorization }),
      },
      body: callback.payload,
    })
    httpStatus = response.statusCode
    const chunks: Buffer[] = []
    let sizeBytes = 0
    for await (const chunk of response.body) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('undici gives bodies as buffers')
      sizeBytes += chunk.length
      if (sizeBytes > answerLimitBytes)
        return undelivered(
          httpStatus,
          'answer_too_large',
          `The site's response is larger than ${answerLimitBytes} bytes.`,
        )
      chunks.push(chunk)
    }
    const body = Buffer.concat(chunks)
    return { delivered: true, httpStatus, text: body.toString('utf8'), isUtf8: isUtf8(body) }
  } catch (problem) {
    if (ports.closing.aborted)
      return undelivered(httpStatus, 'unreachable', 'The emulator was stopped before the site responded.')
    if (stopped.signal.aborted)
      return undelivered(httpStatus, 'timeout', `The site did not respond within ${ports.timeoutMs / 1000} seconds.`)
    // undici refuses header values with control characters; only the site's credentials can contain any.
    if (problem instanceof errors.InvalidArgumentError)
      return undelivered(httpStatus, 'invalid_credentials', 'The webhook_auth_* values cannot be sent in a header.')
    return undelivered(httpStatus, 'unreachable', `The site could not be reached: ${reasonOf(problem)}.`)
  } finally {
    clearTimeout(deadline)
    ports.closing.removeEventListener('abort', stop)
  }
}

const undelivered = (httpStatus: number | null, error: WebhookError, message: string): DeliveryResult => ({
  delivered: false,
  httpStatus,
  error,
  message,
})

/** The system's error code, such as ECONNREFUSED, or the error's name; messages may contain URLs with credentials. */
const reasonOf = (problem: unknown): string =>
  errorCode(problem) ?? (problem instanceof Error ? problem.name : 'unknown reason')

import { cause, fail, ok, readCallbackBody, readCallbackHead, redactPayload } from '@galley/wire'
import type { CallbackBody, CallbackFailure, CallbackHead, Result } from '@galley/wire'

/** A callback body after its signature check. `payload` is the text for the log, null if it is too large. */
export interface WholeCallback {
  readonly body: CallbackBody
  readonly payload: string | null
}

/** Larger payloads are not logged: a replay then has no metadata and fonts tree. */
const payloadMaxChars = 256 * 1024

/** The signed part of an untrusted body; `invalid_request` unless it is a JSON object in UTF-8. */
export function headOf(bytes: Uint8Array): Result<CallbackHead, CallbackFailure> {
  const text = decodedText(bytes)
  return text === null ? fail({ kind: 'invalid_request', problem: cause('not_utf8') }) : readCallbackHead(text)
}

/** The whole body, after its signature was verified. */
export function wholeOf(bytes: Uint8Array): Result<WholeCallback, CallbackFailure> {
  const text = decodedText(bytes) ?? ''
  const body = readCallbackBody(text)
  if (!body.ok) return body
  const payload = redactPayload(text)
  return ok({ body: body.value, payload: payload.length <= payloadMaxChars ? payload : null })
}

function decodedText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // Not UTF-8, so not JSON.
    return null
  }
}

import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { JsonObject } from '../json/json-value.ts'
import { parseJsonObject } from '../json/json-value.ts'
import type { Incoming, Reply } from './exchange.ts'
import { headerValue, refusal } from './exchange.ts'

/** A body both as text, to cut exact parts from, and parsed. */
export interface JsonBody {
  readonly text: string
  readonly value: JsonObject
}

/** For commands with a few fields. */
export const commandLimitBytes = 64 * 1024

const jsonType = /^application\/([\w.-]+\+)?json\s*(;|$)/i
/**
 * Types that `curl -d`, `fetch` and others send for any text. Accepting them is safe: web pages can send them too, but
 * only with an Origin header, which the server checks.
 */
const anyTextType = /^(application\/x-www-form-urlencoded|text\/plain)\s*(;|$)/i

const isJsonType = (type: string): boolean => jsonType.test(type) || anyTextType.test(type)

const invalidRequest = (message: string): Reply => refusal(400, 'invalid_request', message)

/** Reads a JSON object of at most `limitBytes`; 415 when the declared type is something else. */
export async function readJsonBody(incoming: Incoming, limitBytes: number): Promise<Result<JsonBody, Reply>> {
  const type = headerValue(incoming.headers, 'content-type')
  if (type !== undefined && !isJsonType(type))
    return fail(refusal(415, 'unsupported_type', 'The body must be application/json.'))
  const bytes = await incoming.readBody(limitBytes)
  if (bytes === null) return fail(refusal(413, 'too_large', `The body is larger than ${limitBytes} bytes.`))
  const text = bytes.toString('utf8')
  // Invalid UTF-8 is decoded as U+FFFD, so the bytes are compared only if the text contains one.
  if (text.includes('\ufffd') && !Buffer.from(text, 'utf8').equals(bytes))
    return fail(invalidRequest('The body is not UTF-8.'))
  const value = parseJsonObject(text)
  return value === null ? fail(invalidRequest('The body must be a JSON object.')) : ok({ text, value })
}

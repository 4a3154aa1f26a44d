import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import type { JsonObject } from '../json/json-value.ts'
import { parseJsonObject } from '../json/json-value.ts'
import type { Incoming, Reply } from './exchange.ts'
import { headerValue, refusal } from './exchange.ts'

/** A body twice: as text, from which parts are cut unchanged, and parsed, to look at. */
export interface JsonBody {
  readonly text: string
  readonly value: JsonObject
}

/** For commands of a few fields. */
export const commandLimitBytes = 64 * 1024

const jsonType = /^application\/([\w.-]+\+)?json\s*(;|$)/i
/**
 * What `curl -d`, `fetch` and the like declare for any text whatever; with the body looked at, nothing is lost by taking
 * it. Web pages can send these anywhere, but not without saying where they come from, and are refused for that.
 */
const anyTextType = /^(application\/x-www-form-urlencoded|text\/plain)\s*(;|$)/i

const isJsonType = (type: string): boolean => jsonType.test(type) || anyTextType.test(type)

const invalidRequest = (message: string): Reply => refusal(400, 'invalid_request', message)

/** Reads a JSON object of at most `limitBytes`; 415 for a body that is declared to be something else. */
export async function readJsonBody(incoming: Incoming, limitBytes: number): Promise<Result<JsonBody, Reply>> {
  const type = headerValue(incoming.headers, 'content-type')
  if (type !== undefined && !isJsonType(type))
    return fail(refusal(415, 'unsupported_type', 'The body has to be application/json.'))
  const bytes = await incoming.readBody(limitBytes)
  if (bytes === null) return fail(refusal(413, 'too_large', `The body is larger than ${limitBytes} bytes.`))
  const text = bytes.toString('utf8')
  // Bytes that are no UTF-8 become U+FFFD; only then are the lengths worth comparing.
  if (text.includes('\ufffd') && !Buffer.from(text, 'utf8').equals(bytes))
    return fail(invalidRequest('The body is not UTF-8.'))
  const value = parseJsonObject(text)
  return value === null ? fail(invalidRequest('The body has to be a JSON object.')) : ok({ text, value })
}

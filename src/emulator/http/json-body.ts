import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import type { JsonObject } from '../json/json-value.ts'
import { parseJsonObject } from '../json/json-value.ts'
import type { Incoming, Reply } from './exchange.ts'
import { refusal } from './exchange.ts'

/** A body twice: as text, from which parts are cut unchanged, and parsed, to look at. */
export interface JsonBody {
  readonly text: string
  readonly value: JsonObject
}

const invalidRequest = (message: string): Reply => refusal(400, 'invalid_request', message)

/** Reads a JSON object of at most `limitBytes`; the Content-Type is not looked at, the bytes are. */
export async function readJsonBody(incoming: Incoming, limitBytes: number): Promise<Result<JsonBody, Reply>> {
  const bytes = await incoming.readBody(limitBytes)
  if (bytes === null) return fail(refusal(413, 'too_large', `The body is larger than ${limitBytes} bytes.`))
  const text = bytes.toString('utf8')
  // Bytes that are no UTF-8 become U+FFFD; only then are the lengths worth comparing.
  if (text.includes('\ufffd') && !Buffer.from(text, 'utf8').equals(bytes))
    return fail(invalidRequest('The body is not UTF-8.'))
  const value = parseJsonObject(text)
  return value === null ? fail(invalidRequest('The body has to be a JSON object.')) : ok({ text, value })
}

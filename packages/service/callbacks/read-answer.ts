import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { JsonObject } from '../json/json-value.ts'
import { isJsonObject, parseJsonObject } from '../json/json-value.ts'
import type { DeliveryResult } from './deliver.ts'
import type { CallbackOutcome } from './outcome.ts'
import { failed } from './outcome.ts'

/** An answer with rc 1. */
export interface Acceptance {
  /** `rm`, or a default if the site sent none. */
  readonly message: string
  /** The `data` object; empty when there was none. */
  readonly data: JsonObject
}

const wordsOf = (rm: unknown, otherwise: string): string => (typeof rm === 'string' && rm !== '' ? rm : otherwise)

/**
 * Reads the parts of an answer that both events share: HTTP status, JSON, `rc` and `rm` (contract, Callback answer).
 */
export function readAnswer(delivery: DeliveryResult): Result<Acceptance, CallbackOutcome> {
  if (!delivery.delivered) return fail(failed(delivery.error, delivery.message))
  const answer = parseJsonObject(delivery.text)
  if (delivery.httpStatus < 200 || delivery.httpStatus > 299) {
    const words = wordsOf(answer?.['rm'], '')
    return fail(failed('http_error', `The site returned HTTP status ${delivery.httpStatus}.${words && ` ${words}`}`))
  }
  if (!delivery.isUtf8) return fail(failed('not_json', "The site's response is not UTF-8, which JSON requires."))
  if (delivery.text.startsWith('\uFEFF'))
    return fail(failed('not_json', "The site's response begins with a byte order mark, which JSON does not allow."))
  if (answer === null) return fail(failed('not_json', "The site's response is not a JSON object."))
  const { rc, rm, data } = answer
  if (rc === 0)
    return fail({
      result: 'rejected',
      error: null,
      message: wordsOf(rm, 'The site rejected the save without a reason.'),
    })
  if (rc !== 1) return fail(failed('invalid_answer', "The site's response has no rc of 0 or 1."))
  return ok({ message: wordsOf(rm, 'Accepted'), data: isJsonObject(data) ? data : {} })
}

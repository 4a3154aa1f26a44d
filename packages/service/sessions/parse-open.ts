import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { JsonBody } from '../http/json-body.ts'
import { isEmptyArray, isJsonObject } from '../json/json-value.ts'
import { memberText } from '../json/object-text.ts'
import { callbackHost } from '../sites/admission.ts'

/** A validated session-open request (contract, Session-open request body). */
export interface OpenRequest {
  readonly apiKey: string
  readonly materialId: string
  /** Exactly as sent, since the signature covers these characters. */
  readonly callbackUrl: string
  /** JSON object texts; null when not passed. */
  readonly vmsJson: string | null
  readonly metadata: string | null
}

/** Reads the request; fails with the invalid field. */
export function parseOpenRequest(body: JsonBody): Result<OpenRequest, string> {
  const { api_key: apiKey, material_id: materialId, callback_url: callbackUrl } = body.value
  if (typeof apiKey !== 'string' || apiKey === '') return fail('api_key must be a non-empty string')
  // A lone surrogate cannot be encoded as UTF-8, so it cannot be signed.
  if (typeof materialId !== 'string' || materialId === '' || !materialId.isWellFormed())
    return fail('material_id must be a non-empty string')
  if (typeof callbackUrl !== 'string' || callbackHost(callbackUrl) === null)
    return fail('callback_url must be an absolute http or https URL without a user name')
  const vmsJson = objectOrNone(body, 'vms_json')
  if (!vmsJson.ok) return vmsJson
  const metadata = objectOrNone(body, 'metadata')
  if (!metadata.ok) return metadata
  return ok({ apiKey, materialId, callbackUrl, vmsJson: vmsJson.value, metadata: metadata.value })
}

function objectOrNone(body: JsonBody, key: string): Result<string | null, string> {
  const value = body.value[key]
  if (value === undefined || value === null) return ok(null)
  if (isEmptyArray(value)) return ok('{}')
  return isJsonObject(value) ? ok(memberText(body.text, key)) : fail(`${key} must be an object`)
}

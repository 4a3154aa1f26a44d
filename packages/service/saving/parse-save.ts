import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { Files } from '../archives/files-field.ts'
import { parseFiles } from '../archives/files-field.ts'
import type { JsonBody } from '../http/json-body.ts'
import { isEmptyArray, isJsonObject, isNonEmptyString } from '../json/json-value.ts'
import { memberText } from '../json/object-text.ts'

/** A save request of the editor. */
export interface Draft {
  readonly html: string
  /** JSON object text. */
  readonly state: string
  readonly files: Files
  /** null keeps the session's. */
  readonly userEmail: string | null
  /** The version the page is based on, null for none; undefined to skip the check. */
  readonly over: string | null | undefined
}

/** Reads the body of the save command (docs/api.md, section 4); fails with the invalid field. */
export function parseDraft(body: JsonBody): Result<Draft, string> {
  const { html, state, files, user_email: userEmail, base_version_id: over } = body.value
  if (typeof html !== 'string') return fail('html must be a string')
  if (!isJsonObject(state) && !isEmptyArray(state)) return fail('state must be an object')
  if (over !== undefined && over !== null && typeof over !== 'string')
    return fail('base_version_id must be a string or null')
  const parsed = parseFiles(files)
  if (!parsed.ok) return parsed
  const text = isJsonObject(state) ? memberText(body.text, 'state') : null
  return ok({
    html,
    state: text ?? '{}',
    files: parsed.value,
    userEmail: isNonEmptyString(userEmail) ? userEmail : null,
    over,
  })
}

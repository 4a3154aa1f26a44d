import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { Files } from '../archives/files-field.ts'
import { parseFiles } from '../archives/files-field.ts'
import type { JsonBody } from '../http/json-body.ts'
import { isNonEmptyString } from '../json/json-value.ts'
import { memberText } from '../json/object-text.ts'

/** A changed font set. */
export interface FontSet {
  /** null: the emulator's first key. */
  readonly apiKey: string | null
  readonly materialId: string
  /** null: the callback URL of a session of this key. */
  readonly callbackUrl: string | null
  readonly files: Files
  readonly css: string
  /** JSON text of any structure; the contract does not define one. */
  readonly tree: string
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/** Reads the body of the fonts command (docs/api.md, section 4); fails with the invalid field. */
export function parseFontSet(body: JsonBody): Result<FontSet, string> {
  const { api_key: apiKey, material_id: materialId, callback_url: callbackUrl, files, css } = body.value
  if (!isAbsent(apiKey) && typeof apiKey !== 'string') return fail('api_key must be a string')
  if (!isNonEmptyString(materialId) || !materialId.isWellFormed()) return fail('material_id must be a non-empty string')
  if (!isAbsent(callbackUrl) && typeof callbackUrl !== 'string') return fail('callback_url must be a string')
  if (!isAbsent(css) && typeof css !== 'string') return fail('css must be a string')
  const parsed = parseFiles(files)
  if (!parsed.ok) return parsed
  return ok({
    apiKey: typeof apiKey === 'string' ? apiKey : null,
    materialId,
    callbackUrl: typeof callbackUrl === 'string' ? callbackUrl : null,
    files: parsed.value,
    css: typeof css === 'string' ? css : '',
    tree: memberText(body.text, 'tree') ?? '{}',
  })
}

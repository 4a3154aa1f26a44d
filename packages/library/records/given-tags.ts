import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import { tagMaxChars } from './site-model-fields.ts'

/** Tags as a person has entered them, each once, in one spelling; or the first one that is none. */
export function readTags(given: readonly string[]): Result<string[], string> {
  const tags = [...new Set(given.map((tag) => tag.normalize('NFC').trim()))]
  const bad = tags.find((tag) => tag === '' || tag.length > tagMaxChars || /[\p{Cc}\p{Cf}]/u.test(tag))
  return bad === undefined ? ok(tags) : fail(bad)
}

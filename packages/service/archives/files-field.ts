import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import { isJsonObject } from '../json/json-value.ts'
import { isEntryName } from './file-names.ts'

/** Files by their name in the archive. */
export type Files = ReadonlyMap<string, Buffer>

/** A plain ZIP allows 65,535 entries; this leaves room for the text files. */
const filesMax = 65_000

/** Decodes base64; null when the text is invalid. Node's decoder skips invalid characters, so the length is checked. */
function fromBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return text.length % 4 === 0 && bytes.length === (text.length / 4) * 3 - padding ? bytes : null
}

/** Reads the `files` field of a local command, `{<name>: base64}`; fails with a description of the problem. */
export function parseFiles(value: unknown): Result<Files, string> {
  if (value === undefined || value === null) return ok(new Map())
  if (!isJsonObject(value)) return fail('files must be an object of base64 strings by name')
  const given = Object.entries(value)
  if (given.length > filesMax) return fail(`files can contain at most ${filesMax} files`)
  const files = new Map<string, Buffer>()
  for (const [name, content] of given) {
    if (!isEntryName(name)) return fail(`${JSON.stringify(name)} is not a valid file name`)
    const bytes = typeof content === 'string' ? fromBase64(content) : null
    if (bytes === null) return fail(`The file ${JSON.stringify(name)} is not base64`)
    files.set(name, bytes)
  }
  return ok(files)
}

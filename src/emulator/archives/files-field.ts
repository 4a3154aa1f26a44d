import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import { isJsonObject } from '../json/json-value.ts'
import { isEntryName } from './file-names.ts'

/** Files by their name in the archive. */
export type Files = ReadonlyMap<string, Buffer>

/** Room for the texts is left of the 65,535 entries of a plain ZIP. */
const filesMax = 65_000

/** The bytes of a base64 text, or null when it is none: Node's reader skips what does not belong, so that bytes are missing. */
function fromBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return text.length % 4 === 0 && bytes.length === (text.length / 4) * 3 - padding ? bytes : null
}

/** Reads the `files` field of a local command, `{<name>: base64}`, or says what is wrong with it. */
export function parseFiles(value: unknown): Result<Files, string> {
  if (value === undefined || value === null) return ok(new Map())
  if (!isJsonObject(value)) return fail('files has to be an object of base64 texts by name')
  const given = Object.entries(value)
  if (given.length > filesMax) return fail(`files may hold ${filesMax} files at most`)
  const files = new Map<string, Buffer>()
  for (const [name, content] of given) {
    if (!isEntryName(name)) return fail(`${JSON.stringify(name)} cannot be the name of a file`)
    const bytes = typeof content === 'string' ? fromBase64(content) : null
    if (bytes === null) return fail(`The file ${JSON.stringify(name)} is not base64`)
    files.set(name, bytes)
  }
  return ok(files)
}

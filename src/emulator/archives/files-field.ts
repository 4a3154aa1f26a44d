import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import { isJsonObject } from '../json/json-value.ts'
import { isEntryName } from './file-names.ts'

/** Files by their name in the archive. */
export type Files = ReadonlyMap<string, Buffer>

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Reads the `files` field of a local command, `{<name>: base64}`, or says what is wrong with it. */
export function parseFiles(value: unknown): Result<Files, string> {
  if (value === undefined || value === null) return ok(new Map())
  if (!isJsonObject(value)) return fail('files has to be an object of base64 texts by name')
  const files = new Map<string, Buffer>()
  for (const [name, content] of Object.entries(value)) {
    if (!isEntryName(name)) return fail(`${JSON.stringify(name)} cannot be the name of a file`)
    if (typeof content !== 'string' || content.length % 4 !== 0 || !base64.test(content))
      return fail(`The file ${JSON.stringify(name)} is not base64`)
    files.set(name, Buffer.from(content, 'base64'))
  }
  return ok(files)
}

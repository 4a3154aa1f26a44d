import type { Result } from '../../result.ts'
import { ok } from '../../result.ts'
import type { JsonProblem, JsonValue, Range } from './reader.ts'
import { readJson, stringText } from './reader.ts'

/** One UTF-16 unit of a key may be written as six characters: `\u0061`. */
const longestEscape = 6

/**
 * Checks a whole text and finds members of its outermost object by name, in one pass that stores nothing else, so that a
 * hostile text with many keys costs only its length. For a duplicate key the last value counts, as in every JSON parser.
 * Null if the text is JSON, but not an object.
 */
export function lastMembers<Name extends string>(
  text: string,
  names: readonly Name[],
): Result<Readonly<Partial<Record<Name, JsonValue>>> | null, JsonProblem> {
  const found: Partial<Record<Name, JsonValue>> = {}
  const longest = Math.max(...names.map(({ length }) => length)) * longestEscape + 2
  let depth = 0
  let wanted: Name | undefined
  const named = (key: Range): Name | undefined => {
    if (key.end - key.start > longest) return undefined
    const written = stringText(text, key)
    return names.find((name) => name === written)
  }
  const read = readJson(text, {
    open: () => depth++,
    key(key) {
      if (depth === 1) wanted = named(key)
    },
    value(value) {
      if (value.kind === 'object' || value.kind === 'array') depth--
      if (depth !== 1 || wanted === undefined) return
      found[wanted] = value
      wanted = undefined
    },
  })
  if (!read.ok) return read
  return ok(read.value.kind === 'object' ? found : null)
}

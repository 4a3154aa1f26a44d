import type { Result } from '../../result.ts'
import type { Edit } from '../edits.ts'
import type { JsonMember, JsonProblem, JsonValue, Range } from './reader.ts'
import { readJson, stringText } from './reader.ts'
import { stringEnd, whitespaceEnd } from './tokens.ts'

/** An object of a checked document, with its members in order. */
export interface JsonObject extends Range {
  readonly members: readonly JsonMember[]
}

const kindBySign: Readonly<Record<string, JsonValue['kind']>> = {
  '{': 'object',
  '[': 'array',
  '"': 'string',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
}

/** The value that begins at `at`. The content of a container is skipped. */
function valueAt(text: string, at: number): JsonValue {
  const kind = kindBySign[text[at] ?? ''] ?? 'number'
  let depth = 0
  for (let end = at; end < text.length; end++) {
    const sign = text[end]
    if (sign === '"') end = stringEnd(text, end) - 1
    else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') {
      if (depth === 0) return { kind, start: at, end }
      depth--
      if (depth === 0) return { kind, start: at, end: end + 1 }
    } else if (depth === 0 && (sign === ',' || whitespaceEnd(text, end) > end)) return { kind, start: at, end }
  }
  return { kind, start: at, end: text.length }
}

/** Reads one level of the object at this value of a checked document. Nested values are ranges. */
export function objectAt(text: string, object: JsonValue): JsonObject {
  const members: JsonMember[] = []
  let at = whitespaceEnd(text, object.start + 1)
  while (text[at] === '"') {
    const key = { start: at, end: stringEnd(text, at) }
    const value = valueAt(text, whitespaceEnd(text, whitespaceEnd(text, key.end) + 1))
    members.push({ key, value })
    at = whitespaceEnd(text, value.end)
    if (text[at] === ',') at = whitespaceEnd(text, at + 1)
  }
  return { start: object.start, end: object.end, members }
}

/** Reads one level of the array at this value of a checked document. */
export function itemsAt(text: string, array: JsonValue): readonly JsonValue[] {
  const items: JsonValue[] = []
  let at = whitespaceEnd(text, array.start + 1)
  while (at < array.end && text[at] !== ']') {
    const value = valueAt(text, at)
    items.push(value)
    at = whitespaceEnd(text, value.end)
    if (text[at] === ',') at = whitespaceEnd(text, at + 1)
  }
  return items
}

/** The outermost value of a checked document. */
export const rootOf = (text: string): JsonValue => valueAt(text, whitespaceEnd(text, 0))

/**
 * Checks the text and visits every object at any depth, inner objects first. One pass, which stores only the members of open
 * objects.
 */
export function forEachObject(text: string, visit: (object: JsonObject) => void): Result<JsonValue, JsonProblem> {
  const open: { readonly members: JsonMember[]; key: Range | null }[] = []
  return readJson(text, {
    open: () => open.push({ members: [], key: null }),
    key: (key) => {
      const container = open.at(-1)
      if (container !== undefined) container.key = key
    },
    value: (value) => {
      if (value.kind === 'object' || value.kind === 'array') {
        const ended = open.pop()
        if (value.kind === 'object') visit({ start: value.start, end: value.end, members: ended?.members ?? [] })
      }
      const container = open.at(-1)
      // A container without a key is an array.
      if (container?.key != null) container.members.push({ key: container.key, value })
    },
  })
}

/** The members with this key, compared decoded. More than one if the key is duplicated. */
export const membersNamed = (text: string, object: JsonObject, key: string): readonly JsonMember[] =>
  object.members.filter((member) => stringText(text, member.key) === key)

/** Appends `"key":value` pairs to an object. The values are JSON text. */
export function appendMembers(object: JsonObject, members: readonly (readonly [string, string])[]): Edit {
  const last = object.members.at(-1)
  const at = last === undefined ? object.start + 1 : last.value.end
  const written = members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')
  return { start: at, end: at, text: last === undefined || written === '' ? written : `,${written}` }
}

/** Removes the members for which `unwanted` is true, each with one comma, so that the object stays valid. */
export function removeMembers(object: JsonObject, unwanted: (member: JsonMember) => boolean): readonly Edit[] {
  const edits: Edit[] = []
  let kept = false
  object.members.forEach((member, index) => {
    if (!unwanted(member)) {
      kept = true
      return
    }
    // After a remaining member, remove the comma before; before all remaining ones, the comma after.
    const before = object.members[index - 1]
    const after = object.members[index + 1]
    const start = kept && before !== undefined ? before.value.end : member.key.start
    const end = kept || after === undefined ? member.value.end : after.key.start
    edits.push({ start, end, text: '' })
  })
  return edits
}

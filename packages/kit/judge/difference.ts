import type { Json } from '../protocol/exact-json.ts'

/** How strictly two values are compared. */
export interface ComparisonMode {
  /** `value`: as a JSON parser sees them. `text`: also the notation of numbers and the order of members. */
  readonly by: 'value' | 'text'
  /** Whether the value at this path may differ. */
  readonly mayDiffer: (path: readonly string[]) => boolean
}

const kindTexts: Record<Json['kind'], string> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  plain: 'a number or literal',
}

const shown = (path: readonly string[]): string => (path.length === 0 ? 'the whole' : path.join('.').slice(0, 200))

/** The place where two texts part, in JSON, so that invisible characters show. */
function textDifference(sent: string, got: string): string {
  let at = 0
  while (at < sent.length && sent[at] === got[at]) at++
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 8), at + 16))
  const hint = got[at] === '\ufffd' ? '; the answer is not UTF-8' : ''
  return `: ${around(got)}, not ${around(sent)}${hint}`
}

/** Describes the first difference between the sent and the received value; null when there is none. */
export function difference(
  sent: Json,
  got: Json,
  closeness: ComparisonMode,
  path: readonly string[] = [],
): string | null {
  if (closeness.mayDiffer(path)) return null
  const at = shown(path)
  if (sent.kind === 'object' && got.kind === 'object')
    return memberDifference(sent.members, got.members, closeness, path)
  if (sent.kind === 'array' && got.kind === 'array') {
    if (sent.items.length !== got.items.length) return `${at} has ${got.items.length} items, not ${sent.items.length}`
    return firstOf(sent.items.keys(), (index) => {
      const [from, to] = [sent.items[index], got.items[index]]
      return from && to ? difference(from, to, closeness, [...path, String(index)]) : null
    })
  }
  if (sent.kind === 'string' && got.kind === 'string')
    return sent.value === got.value ? null : `${at} is another text${textDifference(sent.value, got.value)}`
  if (sent.kind === 'plain' && got.kind === 'plain') {
    const isSame =
      sent.text === got.text ||
      (closeness.by === 'value' && Number(sent.text) === Number(got.text) && !Number.isNaN(Number(sent.text)))
    return isSame ? null : `${at} is ${got.text}, not ${sent.text}`
  }
  return `${at} is ${kindTexts[got.kind]}, not ${kindTexts[sent.kind]}`
}

type Members = readonly (readonly [string, Json])[]

function memberDifference(
  sent: Members,
  got: Members,
  closeness: ComparisonMode,
  path: readonly string[],
): string | null {
  const [mine, theirs] = [new Map(sent), new Map(got)]
  for (const key of mine.keys()) {
    const where = [...path, key]
    if (!theirs.has(key) && !closeness.mayDiffer(where)) return `${shown(where)} is missing`
  }
  for (const key of theirs.keys()) {
    const where = [...path, key]
    if (!mine.has(key) && !closeness.mayDiffer(where)) return `${shown(where)} was added`
  }
  if (closeness.by === 'text' && [...mine.keys()].join('\0') !== [...theirs.keys()].join('\0')) {
    return `the members of ${shown(path)} are in another order`
  }
  return firstOf(mine, ([key, value]) => {
    const other = theirs.get(key)
    return other ? difference(value, other, closeness, [...path, key]) : null
  })
}

function firstOf<Item>(items: Iterable<Item>, describe: (item: Item) => string | null): string | null {
  for (const item of items) {
    const found = describe(item)
    if (found !== null) return found
  }
  return null
}

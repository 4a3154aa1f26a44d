/**
 * Reads and edits JSON objects as text, so that whatever is not touched survives exactly: 20-digit integers, `1.0`,
 * key order, escapes. Every text that comes in here has been through JSON.parse before, so scanning need not judge.
 */

/** One member of an object: its decoded key and where its value stands in the text. */
export interface Member {
  readonly key: string
  readonly start: number
  readonly end: number
}

const isBlank = (sign: string | undefined): boolean => sign === ' ' || sign === '\n' || sign === '\r' || sign === '\t'

function skipBlanks(text: string, from: number): number {
  let at = from
  while (isBlank(text[at])) at++
  return at
}

/** The offset behind the string that opens at `from`; leaps from quote to quote, as base64 values are long. */
function endOfString(text: string, from: number): number {
  let quote = text.indexOf('"', from + 1)
  for (;;) {
    let slashes = 0
    while (text[quote - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return quote + 1
    quote = text.indexOf('"', quote + 1)
  }
}

function endOfValue(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length;) {
    const sign = text[at]
    if (sign === '"') {
      at = endOfString(text, at)
      if (depth === 0) return at
      continue
    }
    if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') {
      if (depth === 0) return at
      depth--
      if (depth === 0) return at + 1
    } else if (depth === 0 && (sign === ',' || isBlank(sign))) return at
    at++
  }
  return text.length
}

/** The members of the object that `text` is, in the order of the text; none when it is something else. */
export function membersOf(text: string): readonly Member[] {
  const members: Member[] = []
  let at = skipBlanks(text, 0)
  if (text[at] !== '{') return members
  at = skipBlanks(text, at + 1)
  while (text[at] === '"') {
    const keyEnd = endOfString(text, at)
    const key: unknown = JSON.parse(text.slice(at, keyEnd))
    const start = skipBlanks(text, skipBlanks(text, keyEnd) + 1)
    const end = endOfValue(text, start)
    members.push({ key: String(key), start, end })
    at = skipBlanks(text, skipBlanks(text, end) + 1)
  }
  return members
}

/** The text of a member's value, or null when there is none. Of equal keys the last counts, as in JSON.parse. */
export function memberText(text: string, key: string): string | null {
  const found = membersOf(text).findLast((member) => member.key === key)
  return found === undefined ? null : text.slice(found.start, found.end)
}

/** An object text of keys and value texts. */
export const objectText = (members: Iterable<readonly [string, string]>): string =>
  `{${Array.from(members, ([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`

/** Writes value texts into an object text: over the members that are there, the others behind them, in their order. */
export function setMembers(text: string, values: ReadonlyMap<string, string>): string {
  const members = membersOf(text)
  const absent = new Map(values)
  const replaced = new Map<Member, string>()
  for (const member of members.toReversed()) {
    const value = absent.get(member.key)
    if (value === undefined) continue
    replaced.set(member, value)
    absent.delete(member.key)
  }
  let written = ''
  let copied = 0
  for (const member of members) {
    const value = replaced.get(member)
    if (value === undefined) continue
    written += text.slice(copied, member.start) + value
    copied = member.end
  }
  const closing = text.lastIndexOf('}')
  const added = objectText(absent).slice(1, -1)
  const comma = members.length > 0 && added !== '' ? ',' : ''
  return written + text.slice(copied, closing) + comma + added + text.slice(closing)
}

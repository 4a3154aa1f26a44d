import { appendMembers, applyEdits, objectAt, removeMembers, stringText, whitespaceEnd } from '@galley/wire'

// Edits JSON objects as text with the contract's reader, so that unchanged parts stay exact, including 20-digit
// integers. Every input has already passed JSON.parse.

/** A member of an object: its decoded key, and the range of its value. */
export interface Member {
  readonly key: string
  readonly start: number
  readonly end: number
}

const objectOf = (text: string) => objectAt(text, { kind: 'object', start: whitespaceEnd(text, 0), end: text.length })

/** The members of an object text, in order; none for any other value. */
export function membersOf(text: string): readonly Member[] {
  if (text[whitespaceEnd(text, 0)] !== '{') return []
  return objectOf(text).members.map(({ key, value }) => ({
    key: stringText(text, key),
    start: value.start,
    end: value.end,
  }))
}

/** The text of a member's value, or null. The last of duplicate keys wins, as in JSON.parse. */
export function memberText(text: string, key: string): string | null {
  const found = membersOf(text).findLast((member) => member.key === key)
  return found === undefined ? null : text.slice(found.start, found.end)
}

/** Builds an object text from keys and value texts. */
export const objectText = (members: Iterable<readonly [string, string]>): string =>
  `{${Array.from(members, ([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`

/** Sets members of an object text: existing ones in place, new ones appended in order. */
export function setMembers(text: string, values: ReadonlyMap<string, string>): string {
  const members = membersOf(text)
  const edits = [...values].flatMap(([key, value]) => {
    const there = members.findLast((member) => member.key === key)
    return there ? [{ start: there.start, end: there.end, text: value }] : []
  })
  const absent = [...values].filter(([key]) => !members.some((member) => member.key === key))
  return applyEdits(text, [...edits, appendMembers(objectOf(text), absent)])
}

/** Removes the members with unwanted keys. */
export function withoutMembers(text: string, isUnwanted: (key: string) => boolean): string {
  const unwanted = removeMembers(objectOf(text), ({ key }) => isUnwanted(stringText(text, key)))
  return applyEdits(text, unwanted)
}

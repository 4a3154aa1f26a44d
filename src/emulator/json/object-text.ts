import { appendMembers, objectAt, removeMembers } from '../../contract/text/json/objects.ts'
import { stringText } from '../../contract/text/json/reader.ts'
import { whitespaceEnd } from '../../contract/text/json/tokens.ts'
import { applyEdits } from '../../contract/text/edits.ts'

// Objects as text, on the contract's own reader: whatever is not touched survives exactly, 20-digit integers and all.
// Every text that comes in here has been through JSON.parse before.

/** One member of an object: its decoded key and where its value stands in the text. */
export interface Member {
  readonly key: string
  readonly start: number
  readonly end: number
}

const objectOf = (text: string) => objectAt(text, { kind: 'object', start: whitespaceEnd(text, 0), end: text.length })

/** The members of the object that `text` is, in the order of the text; none when it is something else. */
export function membersOf(text: string): readonly Member[] {
  if (text[whitespaceEnd(text, 0)] !== '{') return []
  return objectOf(text).members.map(({ key, value }) => ({
    key: stringText(text, key),
    start: value.start,
    end: value.end,
  }))
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
  const edits = [...values].flatMap(([key, value]) => {
    const there = members.findLast((member) => member.key === key)
    return there ? [{ start: there.start, end: there.end, text: value }] : []
  })
  const absent = [...values].filter(([key]) => !members.some((member) => member.key === key))
  return applyEdits(text, [...edits, appendMembers(objectOf(text), absent)])
}

/** An object text without the members whose keys are unwanted. */
export function withoutMembers(text: string, isUnwanted: (key: string) => boolean): string {
  const unwanted = removeMembers(objectOf(text), ({ key }) => isUnwanted(stringText(text, key)))
  return applyEdits(text, unwanted)
}

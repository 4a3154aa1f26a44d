import { addAll, applyEdits, forEachObject, readJson, removeMembers, stringText } from '@galley/wire'
import type { Edit, JsonMember, JsonObject } from '@galley/wire'

/** Replaces an erased address inside a longer text. */
const erasedMark = '[erased]'

/** Somebody who has decided something, and how to remove them from decisions. */
export interface Decider {
  /** Whether a text names the person and nothing else. Ignores case. */
  is(text: string): boolean
  /** The text without the person. */
  withoutIn(text: string): string
}

/** A person by e-mail address, and how to remove them from stored data. Ignores case. */
export interface Person extends Decider {
  readonly email: string
  /** Whether a text is or contains the address, also percent-encoded. A longer address is another person. */
  isIn(text: string): boolean
  /**
   * JSON text without the person, at any depth: removes members with the address as key or value and the corresponding
   * `user_ip`, and replaces the address inside longer values. All other bytes stay. Text that is not JSON is handled like
   * `withoutIn`. Returns the same string if there is nothing to remove.
   */
  withoutInJson(text: string): string
}

export function personOf(email: string): Person {
  const forms = [...new Set([email, encodeURIComponent(email), email.replace('@', '%40')])].map(escaped)
  // An address may begin after a percent-encoded character. After a letter it is part of a longer one.
  const before = String.raw`(?:(?<=%[0-9A-Fa-f]{2})|(?<![\p{L}\p{N}._%+-]))`
  const after = String.raw`(?![\p{L}\p{N}]|[.-][\p{L}\p{N}])`
  const pattern = `${before}(?:${forms.join('|')})${after}`
  const one = new RegExp(pattern, 'iu')
  const all = new RegExp(pattern, 'giu')
  const isIn = (text: string): boolean => one.test(text)
  const withoutIn = (text: string): string => text.replaceAll(all, erasedMark)
  const is = (text: string): boolean => text.trim().toLowerCase() === email.toLowerCase()

  return {
    email,
    is,
    isIn,
    withoutIn,
    withoutInJson(text) {
      const objects: JsonObject[] = []
      if (!forEachObject(text, (object) => objects.push(object)).ok) return withoutIn(text)
      const valueOf = ({ value }: JsonMember): string | null =>
        value.kind === 'string' ? stringText(text, value) : null
      const isMember = (member: JsonMember): boolean => isIn(stringText(text, member.key)) || is(valueOf(member) ?? '')
      const edits: Edit[] = []
      readJson(text, {
        open: () => undefined,
        key: () => undefined,
        value(value) {
          if (value.kind !== 'string') return
          const content = stringText(text, value)
          if (isIn(content)) edits.push({ ...value, text: is(content) ? 'null' : JSON.stringify(withoutIn(content)) })
        },
      })
      const isOfPerson = ipOwner(text, objects, isMember)
      for (const object of objects) {
        const isUnwanted = (member: JsonMember): boolean =>
          isMember(member) || (stringText(text, member.key) === 'user_ip' && isOfPerson(object))
        addAll(edits, removeMembers(object, isUnwanted))
      }
      return applyEdits(text, edits)
    },
  }
}

/** A person by the name that decisions carry. In a reason, only the name as a whole and in the same case is one. */
export function deciderOf(name: string): Decider {
  const all = new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped(name)}(?![\p{L}\p{N}])`, 'gu')
  return {
    is: (text) => text.trim().toLowerCase() === name.toLowerCase(),
    withoutIn: (text) => text.replaceAll(all, erasedMark),
  }
}

/** The name or reason of a decision without the person. */
export const withoutDecider = (text: string, person: Decider): string =>
  person.is(text) ? erasedMark : person.withoutIn(text)

/**
 * The owner of `user_ip` in an object: the nearest enclosing `user_email`. Without one, the person, unless the
 * document names another one.
 */
function ipOwner(
  text: string,
  objects: readonly JsonObject[],
  isMember: (member: JsonMember) => boolean,
): (object: JsonObject) => boolean {
  const namesPerson = (object: JsonObject): boolean => object.members.some(isMember)
  const named = objects.filter(({ members }) => members.some(({ key }) => stringText(text, key) === 'user_email'))
  const isOnlyPerson = objects.some(namesPerson) && named.every(namesPerson)
  return (object) => {
    const around = named
      .filter(({ start, end }) => start <= object.start && end >= object.end)
      .toSorted((one, other) => other.start - one.start)
    return around[0] === undefined ? isOnlyPerson : namesPerson(around[0])
  }
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

/** A simple check for an e-mail address: one `@` between two parts without blanks. */
export const isEmail = (text: string): boolean => text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text)

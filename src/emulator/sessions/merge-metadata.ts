import { isNonEmptyString, parseJsonObject } from '../json/json-value.ts'
import { memberText, membersOf, objectText } from '../json/object-text.ts'

/** Written by the service alone: what a site passes under these names on a repeated open is dropped. */
const kept: readonly string[] = ['version_id', 'version_cdate']
/** Taken from the site only when it really has a value. */
const keptUnlessGiven: readonly string[] = ['user_email', 'user_ip']

/**
 * The metadata after a repeated open (contract, session/open rule 2): the passed object replaces the stored one, but
 * version_id and version_cdate stay the session's, and user_email and user_ip too unless non-empty strings are passed.
 * Both arguments are JSON object texts; values keep their text.
 */
export function mergeMetadata(stored: string, passed: string): string {
  const passedValues = parseJsonObject(passed) ?? {}
  const isTaken = (key: string): boolean =>
    !kept.includes(key) && (!keptUnlessGiven.includes(key) || isNonEmptyString(passedValues[key]))
  const merged = new Map<string, string>()
  for (const { key, start, end } of membersOf(passed)) if (isTaken(key)) merged.set(key, passed.slice(start, end))
  for (const key of [...kept, ...keptUnlessGiven]) {
    const value = memberText(stored, key)
    if (value !== null && !merged.has(key)) merged.set(key, value)
  }
  return objectText(merged)
}

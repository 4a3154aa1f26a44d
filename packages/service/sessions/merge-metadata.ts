import { isNonEmptyString, parseJsonObject } from '../json/json-value.ts'
import { memberText, membersOf, objectText } from '../json/object-text.ts'

/** Set only by the service; values that a site passes on a repeated open are dropped. */
const serviceKeys: readonly string[] = ['version_id', 'version_cdate']
/** Taken from the site only if not empty. */
const keptUnlessGiven: readonly string[] = ['user_email', 'user_ip']

/**
 * Merges the metadata of a repeated open (contract, session/open rule 2): the passed object replaces the stored one,
 * but version_id and version_cdate stay, and so do user_email and user_ip unless non-empty strings are passed. Both
 * arguments are JSON object texts; values keep their exact text.
 */
export function mergeMetadata(stored: string, passed: string): string {
  const passedValues = parseJsonObject(passed) ?? {}
  const isTaken = (key: string): boolean =>
    !serviceKeys.includes(key) && (!keptUnlessGiven.includes(key) || isNonEmptyString(passedValues[key]))
  const merged = new Map<string, string>()
  for (const { key, start, end } of membersOf(passed)) if (isTaken(key)) merged.set(key, passed.slice(start, end))
  for (const key of [...serviceKeys, ...keptUnlessGiven]) {
    const value = memberText(stored, key)
    if (value !== null && !merged.has(key)) merged.set(key, value)
  }
  return objectText(merged)
}

import { forEachObject, removeMembers } from '../text/json/objects.ts'
import type { JsonProblem, JsonValue } from '../text/json/reader.ts'
import { readJson, stringText } from '../text/json/reader.ts'
import type { Result } from '../result.ts'
import { ok } from '../result.ts'
import { hideCredentials, hidesNumbers, isCredentialKey, isSecretKey, redactedMark } from '../protocol/secret-values.ts'
import type { Edit } from '../text/edits.ts'
import { applyEdits } from '../text/edits.ts'

/** What the service and Galley go by; a value that happens to look like a credential is none there. */
const serviceKeys: ReadonlySet<string> = new Set([
  'event',
  'material_id',
  'content_url',
  'version_id',
  'version_cdate',
  'user_email',
  'user_ip',
])

/** The key of the innermost member around a value, null directly in an array or at the top; with the keys above it. */
interface Place {
  readonly isSecret: boolean
  readonly hidesNumbers: boolean
  key: string | null
}

/**
 * The text of metadata_json.json as it may be kept: without members named `webhook_auth_*`, and with `[redacted]` in place
 * of secrets (`secretEdits`). All other bytes stay; a text without any of them comes back as the same string.
 */
export function redactMetadata(
  text: string,
): Result<{ readonly text: string; readonly changed: boolean }, JsonProblem> {
  const edits: Edit[] = []
  const read = forEachObject(text, (object) => {
    edits.push(...removeMembers(object, (member) => isCredentialKey(stringText(text, member.key))))
  })
  if (!read.ok) return read
  edits.push(...secretEdits(text))
  return ok({ text: applyEdits(text, edits), changed: edits.length > 0 })
}

/**
 * The body of a callback as the log may show it: secrets read `[redacted]` (`secretEdits`), and `signature` members, which
 * old senders add, are gone. A body that is not JSON is not shown at all.
 */
export function redactPayload(text: string): string {
  const edits: Edit[] = []
  const read = forEachObject(text, (object) => {
    edits.push(...removeMembers(object, (member) => stringText(text, member.key).toLowerCase() === 'signature'))
  })
  return read.ok ? applyEdits(text, [...edits, ...secretEdits(text)]) : '"[not JSON]"'
}

/**
 * Marks the secrets of a checked document, at any depth: every string under a key that is named like a secret, numbers
 * where the name is that of a password, and credentials that are known by their form, whatever they are called.
 */
function secretEdits(text: string): readonly Edit[] {
  const edits: Edit[] = []
  const open: Place[] = []
  /** What the keys around the value that begins here say of it. */
  const inherited = (): Omit<Place, 'key'> => {
    const around = open.at(-1)
    const key = around?.key ?? null
    return {
      isSecret: (around?.isSecret ?? false) || (key !== null && isSecretKey(key)),
      hidesNumbers: (around?.hidesNumbers ?? false) || (key !== null && hidesNumbers(key)),
    }
  }
  const mark = (value: JsonValue): void => {
    const place = inherited()
    const hidden = value.kind === 'string' ? hiddenText(text, value, place.isSecret) : null
    if (hidden !== null) edits.push({ ...value, text: JSON.stringify(hidden) })
    else if (value.kind === 'number' && place.hidesNumbers) edits.push({ ...value, text: `"${redactedMark}"` })
  }
  readJson(text, {
    open: () => open.push({ ...inherited(), key: null }),
    key(range) {
      const around = open.at(-1)
      if (around) around.key = stringText(text, range)
    },
    value(value) {
      if (value.kind === 'object' || value.kind === 'array') open.pop()
      else mark(value)
    },
  })
  return edits

  /** What a string reads with its secrets hidden; null when there is nothing to hide. */
  function hiddenText(text: string, value: JsonValue, isSecret: boolean): string | null {
    const said = stringText(text, value)
    const key = open.at(-1)?.key ?? null
    if (isSecret) return said === '' || said === redactedMark ? null : redactedMark
    if (key !== null && serviceKeys.has(key)) return null
    const hidden = hideCredentials(said)
    return hidden === said ? null : hidden
  }
}

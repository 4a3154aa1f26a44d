import { addAll } from '../add-all.ts'
import type { Result } from '../result.ts'
import { ok } from '../result.ts'
import type { Edit } from '../text/edits.ts'
import { applyEdits } from '../text/edits.ts'
import { forEachObject, removeMembers } from '../text/json/objects.ts'
import type { JsonProblem, JsonValue } from '../text/json/reader.ts'
import { readJson, stringText } from '../text/json/reader.ts'
import { hideCredentials, hidesNumbers, isCredentialKey, isSecretKey, redactedMark } from './secret-values.ts'

/** Identifiers that the service and Galley need: their values are never treated as credentials. */
const serviceKeys: ReadonlySet<string> = new Set([
  'event',
  'material_id',
  'content_url',
  'version_id',
  'version_cdate',
  'user_email',
  'user_ip',
])

const keysBesideUrl: ReadonlySet<string> = new Set([...serviceKeys].filter((key) => key !== 'content_url'))

/** The key of the innermost member around a value and its ancestors; null directly in an array or at the top level. */
interface Container {
  readonly isSecret: boolean
  readonly hidesNumbers: boolean
  key: string | null
}

/**
 * metadata_json.json as it may be stored: without members named `webhook_auth_*`, and with `[redacted]` instead of secrets
 * (`secretEdits`). All other bytes stay. Returns the same string if there is nothing to redact.
 */
export function redactMetadata(
  text: string,
): Result<{ readonly text: string; readonly changed: boolean }, JsonProblem> {
  const edits: Edit[] = []
  const read = forEachObject(text, (object) => {
    addAll(
      edits,
      removeMembers(object, (member) => isCredentialKey(stringText(text, member.key))),
    )
  })
  if (!read.ok) return read
  addAll(edits, secretEdits(text))
  return ok({ text: applyEdits(text, edits), changed: edits.length > 0 })
}

/**
 * A callback body as the log may show it: with `[redacted]` instead of secrets (`secretEdits`), and without the `signature`
 * members of old senders. A body that is not JSON is not shown.
 */
export function redactPayload(text: string): string {
  const edits: Edit[] = []
  const read = forEachObject(text, (object) => {
    addAll(
      edits,
      removeMembers(object, (member) => stringText(text, member.key).toLowerCase() === 'signature'),
    )
  })
  return read.ok ? applyEdits(text, [...edits, ...secretEdits(text)]) : '"[not JSON]"'
}

/** The redacted body of a callback that stored nothing: credentials in its `content_url` are hidden too. */
export const redactUrl = (payload: string): string => applyEdits(payload, secretEdits(payload, keysBesideUrl))

/**
 * Finds the secrets of a checked document, at any depth: strings at a key that sounds like a secret, numbers at a key that
 * sounds like a password, and keys and values in a known credential format.
 */
function secretEdits(text: string, shownKeys = serviceKeys): readonly Edit[] {
  const edits: Edit[] = []
  const open: Container[] = []
  /** The properties inherited from the keys around the value that begins here. */
  const inherited = (): Omit<Container, 'key'> => {
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
      const hidden = hideCredentials(stringText(text, range))
      if (hidden !== stringText(text, range)) edits.push({ ...range, text: JSON.stringify(hidden) })
    },
    value(value) {
      if (value.kind === 'object' || value.kind === 'array') open.pop()
      else mark(value)
    },
  })
  return edits

  /** The replacement for a string with secrets; null if there is nothing to hide. */
  function hiddenText(text: string, value: JsonValue, isSecret: boolean): string | null {
    const said = stringText(text, value)
    const key = open.at(-1)?.key ?? null
    if (isSecret) return said === '' || said === redactedMark ? null : redactedMark
    if (key !== null && shownKeys.has(key)) return null
    const hidden = hideCredentials(said)
    return hidden === said ? null : hidden
  }
}

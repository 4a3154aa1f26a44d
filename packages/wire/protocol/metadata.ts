import type { Cause } from '../cause.ts'
import { cause } from '../cause.ts'
import type { VersionId } from '../ids.ts'
import type { Result } from '../result.ts'
import { fail, ok } from '../result.ts'
import type { Edit } from '../text/edits.ts'
import { applyEdits } from '../text/edits.ts'
import type { JsonObject } from '../text/json/objects.ts'
import { appendMembers, objectAt, removeMembers, rootOf } from '../text/json/objects.ts'
import type { JsonMember, JsonProblem } from '../text/json/reader.ts'
import { readJson, stringText } from '../text/json/reader.ts'
import { isCredentialKey } from './secret-values.ts'

/** Facts about the version in an archive (contract, metadata, service keys). */
export interface ArchiveFacts {
  readonly versionId: VersionId | null
  readonly versionCdate: string | null
  readonly userEmail: string | null
}

/** A non-empty string, or a number as written. If a key is duplicated, the last value counts. */
function fact(text: string, objects: readonly JsonObject[], key: string, allowNumber: boolean): string | null {
  for (const object of objects) {
    const value = object.members.findLast((member) => stringText(text, member.key) === key)?.value
    if (value?.kind === 'string' && value.end - value.start > 2) return stringText(text, value)
    if (value?.kind === 'number' && allowNumber) return text.slice(value.start, value.end)
  }
  return null
}

/** The outermost object of a metadata text and the objects one level below, in order. */
function objectsOf(text: string): readonly JsonObject[] {
  const root = readJson(text)
  const top = root.ok && root.value.kind === 'object' ? objectAt(text, root.value) : null
  const nested = (top?.members ?? []).flatMap(({ value }) => (value.kind === 'object' ? [objectAt(text, value)] : []))
  return top === null ? [] : [top, ...nested]
}

/** The string, or the number as written, at this key of a metadata text; null if there is none. */
export const metadataFact = (text: string, key: string): string | null => fact(text, objectsOf(text), key, true)

/**
 * Reads the service keys of metadata_json.json from the outermost object, then from the objects one level below, in order:
 * the contract does not specify the layout of "metadata of the session and of the last version". An unreadable text has no
 * facts.
 */
export function archiveFacts(text: string): ArchiveFacts {
  const objects = objectsOf(text)
  return {
    versionId: fact(text, objects, 'version_id', true),
    versionCdate: fact(text, objects, 'version_cdate', false),
    userEmail: fact(text, objects, 'user_email', false),
  }
}

/** Metadata for session/open, and the part of it that may be stored for later sessions. */
export interface SessionMetadata {
  readonly text: string
  /** The caller's metadata without credentials: removed if the site's credentials replace them, otherwise null. */
  readonly kept: string
  /** `webhook_auth_*` members of the caller that the site's credentials replace. */
  readonly replaced: readonly string[]
  /** Credentials of the caller that are sent. Messages must not contain them. */
  readonly secrets: readonly string[]
}

/**
 * The metadata to send with session/open: the caller's text byte for byte, then the client label as `version` unless the
 * caller has one, then the site's callback credentials, if any. These replace the caller's `webhook_auth_*`, because the
 * listener checks them. Without them the caller's are sent (contract, Authentication 5) but not stored, so the caller must
 * pass them again each time: otherwise the callbacks of the session are rejected.
 */
export function sessionMetadata(
  callerText: string | null,
  clientLabel: string,
  credentials: { readonly user: string; readonly password: string | null } | null,
): Result<SessionMetadata, { readonly problem: Cause }> {
  const given = callerText ?? '{}'
  const root = readJson(given)
  if (!root.ok) return fail({ problem: cause('not_json', { why: placeOf(root.failure) }) })
  if (root.value.kind !== 'object') return fail({ problem: cause('not_json_object') })
  const object = objectAt(given, root.value)
  const nameOf = ({ key }: JsonMember): string => stringText(given, key)
  const reserved = object.members.filter((member) => isCredentialKey(nameOf(member)))
  const missing = reserved.find(({ value }) => value.kind === 'null')
  if (credentials === null && missing !== undefined) {
    return fail({ problem: cause('metadata_lost', { name: nameOf(missing) }) })
  }
  const isOurs = credentials !== null
  const without = isOurs ? removeMembers(object, (member) => reserved.includes(member)) : []
  // An empty text is not a credential (contract, Authentication 5), so it is kept.
  const sent = reserved.filter(({ value }) => value.kind !== 'string' || stringText(given, value) !== '')
  const emptied = sent.map(({ value: { start, end } }): Edit => ({ start, end, text: 'null' }))

  const added: [string, string][] = []
  if (!object.members.some((member) => nameOf(member) === 'version'))
    added.push(['version', JSON.stringify(clientLabel)])
  if (isOurs) added.push(['webhook_auth_user', JSON.stringify(credentials.user)])
  if (isOurs && credentials.password !== null)
    added.push(['webhook_auth_password', JSON.stringify(credentials.password)])
  const text = applyEdits(given, without)
  return ok({
    text: added.length === 0 ? text : applyEdits(text, [appendMembers(objectAt(text, rootOf(text)), added)]),
    kept: isOurs ? text : applyEdits(given, emptied),
    replaced: isOurs ? reserved.map(nameOf) : [],
    secrets: isOurs ? [] : sent.flatMap(({ value }) => (value.kind === 'string' ? [stringText(given, value)] : [])),
  })
}

const placeOf = ({ problem, offset }: JsonProblem): Cause => cause('at_character', { why: problem, name: offset })

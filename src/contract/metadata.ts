import type { JsonObject } from './json-objects.ts'
import { appendMembers, objectAt } from './json-objects.ts'
import type { JsonMember, JsonProblem } from './json-text.ts'
import { readJson, stringText } from './json-text.ts'
import type { Result } from './result.ts'
import { fail, ok } from './result.ts'
import { isCredentialKey } from './secret-values.ts'
import { applyEdits } from './text-edits.ts'

/** What an archive says of the version in it (contract, metadata, service keys). */
export interface ArchiveFacts {
  readonly versionId: string | null
  readonly versionCdate: string | null
  readonly userEmail: string | null
}

/** A non-empty string, or a number exactly as it is written; the last one, should a key be written twice. */
function fact(text: string, objects: readonly JsonObject[], key: string, allowNumber: boolean): string | null {
  for (const object of objects) {
    const value = object.members.findLast((member) => stringText(text, member.key) === key)?.value
    if (value?.kind === 'string' && value.end - value.start > 2) return stringText(text, value)
    if (value?.kind === 'number' && allowNumber) return text.slice(value.start, value.end)
  }
  return null
}

/** The top of a metadata text and the objects one level below it, in their order. */
function objectsOf(text: string): readonly JsonObject[] {
  const root = readJson(text)
  const top = root.ok && root.value.kind === 'object' ? objectAt(text, root.value) : null
  const nested = (top?.members ?? []).flatMap(({ value }) => (value.kind === 'object' ? [objectAt(text, value)] : []))
  return top === null ? [] : [top, ...nested]
}

/** A string, or a number as it is written, under this key of a metadata text; null where there is none. */
export const metadataFact = (text: string, key: string): string | null => fact(text, objectsOf(text), key, true)

/**
 * Reads the service keys of metadata_json.json: at the top, else in the objects one level below, in their order, since
 * the contract does not show how "metadata of the session and of the last version" is arranged. Unreadable text has no facts.
 */
export function archiveFacts(text: string): ArchiveFacts {
  const objects = objectsOf(text)
  return {
    versionId: fact(text, objects, 'version_id', true),
    versionCdate: fact(text, objects, 'version_cdate', false),
    userEmail: fact(text, objects, 'user_email', false),
  }
}

/**
 * The metadata to send with session/open: what the caller gave, byte for byte, then the client label as `version` unless
 * the caller has one, then the callback credentials when there are any. A caller who writes `webhook_auth_*` is refused:
 * credentials come from the keychain and are in no file.
 */
export function sessionMetadata(
  callerText: string | null,
  clientLabel: string,
  credentials: { readonly user: string; readonly password: string | null } | null,
): Result<string, { readonly problem: string }> {
  const text = callerText ?? '{}'
  const root = readJson(text)
  if (!root.ok) return fail({ problem: `The metadata is not JSON: ${describeProblem(root.failure)}` })
  if (root.value.kind !== 'object') return fail({ problem: 'The metadata has to be a JSON object' })
  const object = objectAt(text, root.value)
  const keys = object.members.map(({ key }: JsonMember) => stringText(text, key))
  const reserved = keys.find(isCredentialKey)
  if (reserved !== undefined) {
    return fail({ problem: `The metadata may not hold ${reserved}: set up callback credentials for the site instead` })
  }

  const added: [string, string][] = []
  if (!keys.includes('version')) added.push(['version', JSON.stringify(clientLabel)])
  if (credentials !== null) added.push(['webhook_auth_user', JSON.stringify(credentials.user)])
  if (credentials !== null && credentials.password !== null) {
    added.push(['webhook_auth_password', JSON.stringify(credentials.password)])
  }
  return ok(applyEdits(text, added.length === 0 ? [] : [appendMembers(object, added)]))
}

const describeProblem = ({ problem, offset }: JsonProblem): string => `${problem} (at character ${offset})`

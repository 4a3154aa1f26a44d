import { randomUUID } from 'node:crypto'

import { isNonEmptyString, parseJsonObject } from '../json/json-value.ts'
import { membersOf, memberText, objectText } from '../json/object-text.ts'
import type { Session, Sessions } from '../store/sessions.ts'
import type { OpenRequest } from './parse-open.ts'

/** A session after session/open. */
export interface OpenedSession {
  readonly session: Session
  readonly isNew: boolean
}

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

/**
 * Opens the session of a site and material (contract, session/open rules 1 to 3). A repeated open updates the metadata,
 * unless none are passed, and the callback URL, which the contract leaves open: the last signed one is used. It never
 * updates the state.
 */
export function openSession(
  sessions: Sessions,
  request: OpenRequest & Pick<Session, 'origin'>,
  nowMs: number,
): OpenedSession {
  const existing = sessions.ofMaterial(request.apiKey, request.materialId)
  if (existing === null) {
    const session: Session = {
      sessionId: randomUUID(),
      fingerprint: randomUUID(),
      apiKey: request.apiKey,
      materialId: request.materialId,
      callbackUrl: request.callbackUrl,
      origin: request.origin,
      metadata: request.metadata ?? '{}',
      state: request.vmsJson ?? '{}',
      versionId: null,
      baseVersionId: null,
      lastAccessMs: nowMs,
    }
    sessions.add(session)
    return { session, isNew: true }
  }
  const { sessionId } = existing
  const { callbackUrl, origin } = request
  const metadata = request.metadata === null ? existing.metadata : mergeMetadata(existing.metadata, request.metadata)
  sessions.reopen({ sessionId, callbackUrl, origin, metadata, nowMs })
  return { session: { ...existing, callbackUrl, origin, metadata, lastAccessMs: nowMs }, isNew: false }
}

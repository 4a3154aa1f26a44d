import { randomUUID } from 'node:crypto'

import type { Session, Sessions } from '../store/sessions.ts'
import { mergeMetadata } from './merge-metadata.ts'
import type { OpenRequest } from './parse-open.ts'

/** A session after session/open. */
export interface OpenedSession {
  readonly session: Session
  readonly isNew: boolean
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

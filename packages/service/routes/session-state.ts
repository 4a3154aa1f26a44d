import { mediaType } from '@galley/wire'

import { jsonReply, refusal } from '../http/exchange.ts'
import { commandLimitBytes, readJsonBody } from '../http/json-body.ts'
import type { Route } from '../http/router.ts'
import type { SessionTextPorts } from '../sessions/session-text.ts'
import { sessionText } from '../sessions/session-text.ts'
import type { StoredBytes } from '../store/contents.ts'
import type { Store } from '../store/open-store.ts'
import type { Session } from '../store/sessions.ts'
import { noSession } from './refusals.ts'
import { storedReply } from './stored-reply.ts'

interface SessionStatePorts extends SessionTextPorts {
  /** Resolves when the files of a restored session were fetched or failed. */
  readonly restored: (sessionId: string) => Promise<void>
}

/** A file without a public URL: of the session's current version, or fetched when the session was restored. */
function privateFile({ versions, restoredFiles, contents }: Store, session: Session, name: string): StoredBytes | null {
  const { sessionId, baseVersionId } = session
  const saved = baseVersionId === null ? null : versions.media(sessionId, baseVersionId, name)
  if (saved !== null) return saved
  const contentId = restoredFiles.contentOf(sessionId, name)
  return contentId === null ? null : contents.whole(contentId)
}

/**
 * The session for the editor page. `GET /_emulator/sessions/<fingerprint>` returns the session with its state,
 * `.../files/<name>` a file without a public URL. `POST .../rollback` `{version_id}` rolls the session back to one of
 * its versions, on which the next save is based, and returns the session.
 */
export function sessionStateRoutes(ports: SessionStatePorts): readonly Route[] {
  const { store, nowMs, restored } = ports
  const { sessions, contents } = store

  function shown(fingerprint: string) {
    const session = sessions.byFingerprint(fingerprint)
    return session === null ? noSession : jsonReply(200, sessionText(session, ports))
  }

  return [
    {
      method: 'GET',
      path: '/_emulator/sessions/:fingerprint',
      async handle(_incoming, fingerprint = '') {
        const session = sessions.byFingerprint(fingerprint)
        if (session === null) return noSession
        await restored(session.sessionId)
        sessions.touch(session.sessionId, nowMs())
        return shown(fingerprint)
      },
    },
    {
      method: 'GET',
      path: '/_emulator/sessions/:fingerprint/files/:name',
      handle(incoming, fingerprint = '', name = '') {
        const session = sessions.byFingerprint(fingerprint)
        if (session === null) return noSession
        const bytes = privateFile(store, session, name)
        if (bytes === null) return refusal(404, 'not_found', 'The session has no such file.')
        return storedReply(incoming, contents, bytes, mediaType(name))
      },
    },
    {
      method: 'POST',
      path: '/_emulator/sessions/:fingerprint/rollback',
      async handle(incoming, fingerprint = '') {
        const body = await readJsonBody(incoming, commandLimitBytes)
        if (!body.ok) return body.failure
        const { version_id: versionId } = body.value.value
        if (typeof versionId !== 'string') return refusal(400, 'invalid_request', 'version_id must be a string.')
        const session = sessions.byFingerprint(fingerprint)
        if (session === null) return noSession
        if (!sessions.rollBack(session.sessionId, versionId))
          return refusal(404, 'not_found', 'This version does not exist, or has expired.')
        sessions.touch(session.sessionId, nowMs())
        return shown(fingerprint)
      },
    },
  ]
}

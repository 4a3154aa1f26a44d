import { extname } from 'node:path'

import type { Addresses } from '../addresses.ts'
import { readEntries } from '../archives/zip.ts'
import { jsonReply, refusal } from '../http/exchange.ts'
import type { Route } from '../http/router.ts'
import { contentTypeOf } from '../http/content-type.ts'
import { objectText } from '../json/object-text.ts'
import { mediaEntry } from '../saving/store-version.ts'
import { serviceTime } from '../service-time.ts'
import type { Store } from '../store/open-store.ts'
import type { Session } from '../store/sessions.ts'

interface SessionStatePorts {
  readonly store: Store
  readonly addresses: Addresses
  readonly nowMs: () => number
}

const unknownSession = refusal(404, 'not_found', 'There is no such session.')

/** The session as its editor needs it. Metadata stay here: they hold the site's callback credentials. */
function sessionText(session: Session, { store, addresses }: SessionStatePorts): string {
  const version = session.versionId === null ? null : store.versions.get(session.sessionId, session.versionId)
  const lastSave =
    version === null
      ? null
      : { version_id: version.versionId, version_cdate: serviceTime(version.cdateMs), ...version.outcome }
  return objectText([
    ['session_id', JSON.stringify(session.sessionId)],
    ['fingerprint', JSON.stringify(session.fingerprint)],
    ['material_id', JSON.stringify(session.materialId)],
    ['url', JSON.stringify(addresses.editor(session.fingerprint))],
    ['last_save', JSON.stringify(lastSave)],
    ['state', session.state],
  ])
}

/**
 * What the editor page reads. `GET /_emulator/sessions/<fingerprint>`: `{session_id, fingerprint, material_id, url,
 * last_save: {version_id, version_cdate} | null, state}`, `last_save` with `result`, `error` and `message` once the
 * site has answered. `.../files/<name>`: a file of the last save, while the site has given it no address of its own.
 */
export function sessionStateRoutes(ports: SessionStatePorts): readonly Route[] {
  const { store, nowMs } = ports
  return [
    {
      method: 'GET',
      path: '/_emulator/sessions/:fingerprint',
      handle(_incoming, fingerprint = '') {
        const session = store.sessions.byFingerprint(fingerprint)
        if (session === null) return unknownSession
        store.sessions.touch(session.sessionId, nowMs())
        return jsonReply(200, sessionText(session, ports))
      },
    },
    {
      method: 'GET',
      path: '/_emulator/sessions/:fingerprint/files/:name',
      handle(_incoming, fingerprint = '', name = '') {
        const session = store.sessions.byFingerprint(fingerprint)
        if (session === null) return unknownSession
        const archive = session.versionId === null ? null : store.versions.archive(session.sessionId, session.versionId)
        const body = archive === null ? undefined : readEntries(archive, [mediaEntry(name)]).get(mediaEntry(name))
        if (body === undefined) return refusal(404, 'not_found', 'The last save has no such file.')
        // An SVG opened by itself could run scripts in the emulator's origin.
        const headers = { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" }
        return { status: 200, contentType: contentTypeOf(extname(name)), body, headers }
      },
    },
  ]
}

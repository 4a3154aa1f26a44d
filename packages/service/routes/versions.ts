import { mediaType } from '@galley/wire'

import { jsonReply, refusal } from '../http/exchange.ts'
import type { Route } from '../http/router.ts'
import { objectText } from '../json/object-text.ts'
import { versionJson } from '../sessions/session-text.ts'
import type { Store } from '../store/open-store.ts'
import { serviceTime } from '../time/moments.ts'
import { noSession } from './refusals.ts'
import { storedReply } from './stored-reply.ts'

const noVersion = refusal(404, 'not_found', 'This version does not exist, or has expired.')

/**
 * The version history for rollback: `GET /_emulator/sessions/<fingerprint>/versions`, newest first;
 * `.../versions/<id>`, a version with its content; `.../versions/<id>/files/<name>`, a file of its archive.
 */
export function versionRoutes({ sessions, versions, contents }: Store): readonly Route[] {
  const base = '/_emulator/sessions/:fingerprint/versions'
  return [
    {
      method: 'GET',
      path: base,
      handle(_incoming, fingerprint = '') {
        const session = sessions.byFingerprint(fingerprint)
        if (session === null) return noSession
        const list = versions.list(session.sessionId).map((version) => ({
          ...versionJson(version),
          user_email: version.userEmail,
          media_count: version.mediaCount,
          bytes: version.sizeBytes,
          current: version.versionId === session.baseVersionId,
        }))
        return jsonReply(200, JSON.stringify(list))
      },
    },
    {
      method: 'GET',
      path: `${base}/:version_id`,
      handle(_incoming, fingerprint = '', versionId = '') {
        const session = sessions.byFingerprint(fingerprint)
        const page = session && versions.page(session.sessionId, versionId)
        if (page === null) return noVersion
        const shown = objectText([
          ['version_id', JSON.stringify(page.versionId)],
          ['version_cdate', JSON.stringify(serviceTime(page.cdateMs))],
          ['html', JSON.stringify(page.html)],
          ['state', page.state],
        ])
        return jsonReply(200, shown)
      },
    },
    {
      method: 'GET',
      path: `${base}/:version_id/files/:name`,
      handle(incoming, fingerprint = '', versionId = '', name = '') {
        const session = sessions.byFingerprint(fingerprint)
        const bytes = session && versions.media(session.sessionId, versionId, name)
        if (bytes === null) return refusal(404, 'not_found', 'This version has no such file.')
        return storedReply(incoming, contents, bytes, mediaType(name))
      },
    },
  ]
}

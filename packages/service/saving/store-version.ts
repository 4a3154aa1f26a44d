import { randomUUID } from 'node:crypto'

import { mediaEntry } from '../archives/file-names.ts'
import type { Files } from '../archives/files-field.ts'
import { buildZip } from '../archives/zip.ts'
import { isNonEmptyString, parseJsonObject } from '../json/json-value.ts'
import { setMembers } from '../json/object-text.ts'
import type { Store } from '../store/open-store.ts'
import type { Session } from '../store/sessions.ts'
import type { NewVersion } from '../store/versions.ts'
import { serviceTime } from '../time/moments.ts'
import type { Draft } from './parse-save.ts'
import { unresolvedFiles, withAssets } from './state-assets.ts'

/**
 * The files of a version: the new ones, and earlier ones without a public URL. These are sent again with every save, from
 * the archive of the session's current version.
 */
function filesOf({ versions, contents }: Store, { sessionId, baseVersionId }: Session, draft: Draft): Files {
  if (baseVersionId === null) return draft.files
  const files = new Map(draft.files)
  for (const name of unresolvedFiles(draft.state)) {
    const bytes = files.has(name) ? null : versions.media(sessionId, baseVersionId, name)
    if (bytes !== null) files.set(name, contents.readWhole(bytes))
  }
  return files
}

/** Creates the next version of a session from a draft, and stores it with its media ZIP as the current one. */
export function storeVersion(store: Store, session: Session, draft: Draft, userIp: string, nowMs: number): NewVersion {
  const versionId = randomUUID()
  const cdateMs = store.versions.nextCdateMs(session.sessionId, nowMs)
  const serviceKeys = new Map([
    ['version_id', JSON.stringify(versionId)],
    ['version_cdate', JSON.stringify(serviceTime(cdateMs))],
    ['user_ip', JSON.stringify(userIp)],
  ])
  if (draft.userEmail !== null) serviceKeys.set('user_email', JSON.stringify(draft.userEmail))
  const metadata = setMembers(session.metadata, serviceKeys)
  const userEmail = parseJsonObject(metadata)?.['user_email']

  const files = filesOf(store, session, draft)
  const state = withAssets(draft.state, files.keys())
  const archive = buildZip(
    [
      { name: 'vms_html.html', content: draft.html },
      { name: 'vms_json.json', content: state },
      ...Array.from(files, ([name, content]) => ({ name: mediaEntry(name), content })),
      { name: 'metadata_json.json', content: metadata },
    ],
    cdateMs,
  )
  const version: NewVersion = {
    versionId,
    sessionId: session.sessionId,
    cdateMs,
    savedMs: nowMs,
    userEmail: isNonEmptyString(userEmail) ? userEmail : null,
    html: draft.html,
    state,
    metadata,
    archive,
  }
  store.versions.add(version)
  return version
}

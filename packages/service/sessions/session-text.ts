import { fontFaces } from '@galley/wire'

import type { Addresses } from '../http/addresses.ts'
import { parseJsonObject } from '../json/json-value.ts'
import { objectText } from '../json/object-text.ts'
import type { ServiceSites } from '../sites/service-site.ts'
import type { Store } from '../store/open-store.ts'
import type { Session } from '../store/sessions.ts'
import type { StoredVersion } from '../store/versions.ts'
import { serviceTime } from '../time/moments.ts'
import { keptUntilMs } from './history.ts'

export interface SessionTextPorts {
  readonly sites: ServiceSites
  readonly store: Store
  readonly addresses: Addresses
  readonly nowMs: () => number
}

/** A version for the editor; the result is null until the site has answered. */
export function versionJson({ versionId, cdateMs, outcome }: StoredVersion) {
  const { result = null, error = null, message = null } = outcome ?? {}
  return { version_id: versionId, version_cdate: serviceTime(cdateMs), result, error, message }
}

function siteJson(sites: ServiceSites, apiKey: string) {
  const site = sites.get(apiKey)
  return { api_key: apiKey, name: site?.name ?? apiKey, environment: site?.environment ?? null }
}

/** The font families of a style sheet, each once, in the order of their `@font-face` rules. */
const familiesOf = (css: string): readonly string[] => [...new Set(fontFaces(css).map(({ family }) => family))]

function fontsJson({ snapshots }: Store, { apiKey }: Session, addresses: Addresses) {
  const sheet = snapshots.latestAccepted(apiKey)
  if (sheet === null) return { css_url: null, families: [] }
  return { css_url: addresses.fontSheet(sheet.snapshotId), families: familiesOf(sheet.css) }
}

/** The session for its editor, with the exact state. Metadata are not included: they contain the site's credentials. */
export function sessionText(session: Session, { sites, store, addresses, nowMs }: SessionTextPorts): string {
  const { sessionId, fingerprint, versionId } = session
  const version = versionId === null ? null : store.versions.get(sessionId, versionId)
  const lost = store.restoredFiles.lost(sessionId)
  const shown = {
    session_id: sessionId,
    fingerprint,
    material_id: session.materialId,
    url: addresses.editor(fingerprint),
    user_email: parseJsonObject(session.metadata)?.['user_email'] ?? null,
    site: siteJson(sites, session.apiKey),
    last_save: version === null ? null : versionJson(version),
    base_version_id: session.baseVersionId,
    restored: lost === null ? null : { lost },
    history_kept_until: serviceTime(keptUntilMs(session.lastAccessMs)),
    now: serviceTime(nowMs()),
    fonts: fontsJson(store, session, addresses),
  }
  const members = Object.entries(shown).map(([key, value]) => [key, JSON.stringify(value)] as const)
  return objectText([...members, ['state', session.state]])
}

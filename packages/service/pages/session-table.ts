import type { Addresses } from '../http/addresses.ts'
import { keptUntilMs } from '../sessions/history.ts'
import type { ServiceSites } from '../sites/service-site.ts'
import type { Store } from '../store/open-store.ts'
import type { Session } from '../store/sessions.ts'
import { outcomeState, pageTime, wideTable } from './elements.ts'
import type { Markup } from './markup.ts'
import { html, nothing } from './markup.ts'

const shownLimit = 100

function lastSave({ versions }: Store, { sessionId, versionId }: Session): Markup {
  const version = versionId === null ? null : versions.get(sessionId, versionId)
  if (version === null) return html`Not saved yet`
  return outcomeState(version.outcome)
}

/** The open sessions, last used first, with links to their editors. */
export function sessionTable(store: Store, sites: ServiceSites, addresses: Addresses): Markup {
  const sessions = store.sessions.list(shownLimit)
  if (sessions.length === 0)
    return html`<p>No sessions yet. A site opens one with <code>POST /integration/session/open</code>.</p>`
  const rows = sessions.map(
    (session) =>
      html`<tr>
        <th scope="row"><a href="${addresses.editor(session.fingerprint)}">${session.materialId}</a></th>
        <td>${sites.get(session.apiKey)?.name ?? session.apiKey}</td>
        <td>${lastSave(store, session)}</td>
        <td>${pageTime(session.lastAccessMs)}</td>
        <td>${pageTime(keptUntilMs(session.lastAccessMs))}</td>
      </tr>`,
  )
  const more = store.sessions.count() - sessions.length
  return html`${wideTable('Table of sessions', ['Material', 'Site', 'Last save', 'Last used', 'Kept until'], rows)}
  ${more === 0 ? nothing : html`<p>And ${more} more, used less recently.</p>`}`
}

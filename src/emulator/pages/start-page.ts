import type { Addresses } from '../addresses.ts'
import { serviceTime } from '../service-time.ts'
import type { Session } from '../store/sessions.ts'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const style = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}
body{max-width:44rem;margin:3rem auto;padding:0 1rem}li{margin:.5rem 0}code{overflow-wrap:anywhere}
small{opacity:.75;display:block}`

const item = (session: Session, addresses: Addresses): string =>
  `<li><a href="${escaped(addresses.editor(session.fingerprint))}">${escaped(session.materialId)}</a>
<small>${escaped(session.apiKey)}, last used ${serviceTime(session.lastAccessMs)}</small></li>`

/** What a person sees who opens the emulator's root: what this is, how to connect a site, and the open sessions. */
export function startPage(sessions: readonly Session[], addresses: Addresses): string {
  const list =
    sessions.length === 0
      ? '<p>No session yet. A site opens one with <code>POST /integration/session/open</code>.</p>'
      : `<ul>${sessions.map((session) => item(session, addresses)).join('\n')}</ul>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Galley emulator</title><style>${style}</style></head>
<body><main><h1>Galley emulator</h1>
<p>A local stand-in for the hosted layout editor. Configure a site with the base URL <code>${escaped(addresses.base)}</code>.</p>
<h2>Sessions</h2>
${list}</main></body></html>
`
}

/** Only its own style, nothing else. */
export const startPagePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"

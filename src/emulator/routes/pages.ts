import type { Addresses } from '../addresses.ts'
import { refusal } from '../http/exchange.ts'
import type { Route } from '../http/router.ts'
import type { EditorFiles } from '../pages/editor-files.ts'
import { startPage, startPagePolicy } from '../pages/start-page.ts'
import type { Sessions } from '../store/sessions.ts'

interface PagePorts {
  readonly sessions: Sessions
  readonly addresses: Addresses
  readonly editorFiles: EditorFiles
}

/** The addresses a person opens in a browser: the list of sessions, and the editor at a session's `url`. */
export const pageRoutes = ({ sessions, addresses, editorFiles }: PagePorts): readonly Route[] => [
  {
    method: 'GET',
    path: '/',
    handle: () => ({
      status: 200,
      contentType: 'text/html; charset=utf-8',
      body: startPage(sessions.list(), addresses),
      headers: { 'Content-Security-Policy': startPagePolicy },
    }),
  },
  {
    method: 'GET',
    path: '/editor/:fingerprint',
    handle: (_incoming, fingerprint = '') =>
      sessions.byFingerprint(fingerprint) === null
        ? refusal(404, 'not_found', 'There is no such session. The site has to open the material again.')
        : editorFiles.page(),
  },
  { method: 'GET', path: '/assets/:name', handle: (_incoming, name = '') => editorFiles.asset(name) },
]

import type { Route } from '../http/router.ts'
import type { EditorFiles } from '../pages/editor-files.ts'
import type { Sessions } from '../store/sessions.ts'
import { noSession } from './refusals.ts'

interface EditorPagePorts {
  readonly sessions: Sessions
  readonly editorFiles: EditorFiles
}

/** The editor page at a session's `url`, and its assets. */
export const editorPageRoutes = ({ sessions, editorFiles }: EditorPagePorts): readonly Route[] => [
  {
    method: 'GET',
    path: '/editor/:fingerprint',
    handle: (_incoming, fingerprint = '') =>
      sessions.byFingerprint(fingerprint) === null ? noSession : editorFiles.page(),
  },
  { method: 'GET', path: '/assets/:name', handle: (_incoming, name = '') => editorFiles.asset(name) },
]

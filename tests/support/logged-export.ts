import type { ChangeOf } from '../../packages/library/records/changes.ts'

/** The facts of an export, for a test that is about its pages. */
export const anExport: Pick<ChangeOf<'exported'>, 'request' | 'report'> = {
  request: {
    site: 'acme',
    materials: [],
    pins: [],
    target: { kind: 'folder', path: '/srv/site' },
    baseUrl: null,
    check: 'off',
  },
  report: {
    counts: { files: 0, added: 0, changed: 0, removed: 0, unchanged: 0, bytes: 0 },
    brokenReferences: 0,
    sha256: 'a'.repeat(64),
    broken: [],
    leftOut: { count: 0, list: [] },
  },
}

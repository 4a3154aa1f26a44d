import { expect, test } from 'vitest'

import { reportJson } from '../../../src/main/cli/export.ts'

test('the report of an export words its broken references', () => {
  const report = { files: 3, added: 3, changed: 0, removed: 0, unchanged: 0, bytes: 42, sha256: 'f'.repeat(64) }
  const broken = [{ page: 'a/index.html', ref: '../c/', reason: { code: 'no_file', path: 'c/' } }] as const
  expect(reportJson({ ...report, links: { checked: 7, broken } })).toStrictEqual({
    ...report,
    links: { checked: 7, broken: [{ page: 'a/index.html', ref: '../c/', reason: 'there is no c/ in the bundle' }] },
  })
})

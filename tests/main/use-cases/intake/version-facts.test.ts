import { expect, test } from 'vitest'

import { aSave, createTestGalley, zipOf } from '../../../support/test-galley.ts'

test('what metadata_json does not say of the version is taken from the callback', async () => {
  const { galley, service, know, post } = await createTestGalley()
  await know('post-1')
  const newer = aSave(service, { versionId: 'new', versionCdate: '2026-11-02T08:00:00+00:00' })
  expect((await post(newer.body, newer.headers)).json.rc).toBe(1)
  const older = aSave(service, {
    versionId: 'in-the-address',
    archive: zipOf({ 'vms_html.html': '', 'vms_json.json': '{}', 'metadata_json.json': '{"section_id":"front"}' }),
    payload: {
      metadata: { version_id: 'old', version_cdate: '2026-11-02T07:00:00+00:00', user_email: 'b@example.test' },
    },
  })
  expect((await post(older.body, older.headers)).json.rc).toBe(1)
  expect(galley.index.versions.list('acme', 'post-1')).toMatchObject([
    { versionId: 'new', current: true, userEmail: 'editor@example.test' },
    { versionId: 'old', current: false, userEmail: 'b@example.test', versionCdate: '2026-11-02T07:00:00+00:00' },
  ])
})

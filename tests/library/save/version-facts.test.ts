import { expect, test } from 'vitest'

import { aSave, createTestGalley, zipOf } from '../../support/test-galley.ts'

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

test.each(['archive', 'callback'])('a version_id of the %s with half of a surrogate pair is refused', async (place) => {
  const { galley, service, know, post } = await createTestGalley()
  await know('post-1')
  const refused = (version_id: string) =>
    aSave(service, {
      versionId: 'in-the-address',
      archive: zipOf({
        'vms_html.html': '',
        'vms_json.json': '{}',
        'metadata_json.json': JSON.stringify(place === 'archive' ? { version_id } : {}),
      }),
      payload: { metadata: { version_id: place === 'archive' ? 'other' : version_id } },
    })
  const half = refused('v\ud800')
  expect(await post(half.body, half.headers)).toMatchObject({ status: 400, json: { rc: 0, code: 'invalid_request' } })
  expect(galley.index.versions.list('acme', 'post-1')).toEqual([])
  const whole = refused('v\ufffd')
  expect((await post(whole.body, whole.headers)).json.rc).toBe(1)
})

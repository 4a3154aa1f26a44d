import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { allCallbacks } from '../../../support/all-callbacks.ts'
import { aSave, temporaryFolder } from '../../../support/test-galley.ts'
import { setUp } from './callback-fixture.ts'

test('nothing that leaves the log names a person or contains proof of identity, for any sender', async () => {
  const { service, post, calls, chosen, galley } = await setUp()
  const person = 'ida.moreau@press.example'
  const forged = 'e'.repeat(64)
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJpZGEifQ.c2lnbmF0dXJl'
  const save = aSave(service, {
    metadata: {
      user_email: person,
      user_ip: '198.51.100.23',
      webhook_auth_user: 'hook',
      webhook_auth_password: 'pw-4711',
    },
  })
  const from = { 'x-forwarded-for': '198.51.100.23', 'x-real-ip': '2001:db8::17', cookie: 'session=pw-4711' }
  await post(save.body, { ...save.headers, ...from, authorization: 'Basic aG9vazpwdy00NzEx' })
  // Nobody signed it, so it says what it likes wherever it likes.
  const contentUrl = `http://${person}:pw-4711@198.51.100.23/${person}/2001:db8::17?api_key=${service.apiKey}&signature=${forged}`
  const body = {
    event: person,
    material_id: `${person} ${save.signature} ${token} Bearer 0123456789`,
    content_url: contentUrl,
    metadata: save.payload['metadata'],
  }
  await post(JSON.stringify(body), {
    'x-service-signature': forged,
    'user-agent': `robot of ${person} at 198.51.100.23 with ${token}`,
  })
  // And what an administrator typed as the reason of a rule.
  galley.index.rules.pause('acme', { reason: `Ask ${person} for ${token}`, since: new Date().toISOString() })
  const refused = aSave(service)
  await post(refused.body, refused.headers)

  const query = { filters: allCallbacks, sort: { by: 'arrival', direction: 'down' } as const, upTo: null, offset: 0 }
  const { rows } = await calls.queryCallbacks({ ...query, limit: 10 })
  expect(rows.map(({ outcome }) => outcome)).toEqual(['refused', 'rejected', 'stored'])
  const files = await temporaryFolder()
  const shared: string[] = []
  for (const format of ['csv', 'json'] as const) {
    chosen.push(join(files, format))
    await calls.exportCallbacks({ filters: allCallbacks, format })
    shared.push((await readFile(join(files, format))).toString('latin1'))
  }
  for (const { id } of rows) {
    const report = await calls.callbackReport({ id })
    shared.push(report.ok ? report.value : report.failure.code)
  }
  expect(shared).toHaveLength(5)
  for (const secret of [
    person,
    'ida.moreau',
    '198.51.100.23',
    '2001:db8',
    'pw-4711',
    'aG9vazpwdy00NzEx',
    token,
    '0123456789',
    forged,
    save.signature,
    refused.signature,
    service.secret,
    service.apiKey,
  ]) {
    for (const text of shared) expect(text.toLowerCase(), secret).not.toContain(secret.toLowerCase())
  }
})

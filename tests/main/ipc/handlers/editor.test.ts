import { expect, test } from 'vitest'

import { siteInputOf } from '../../../../packages/library/records/site-input.ts'
import { aSave, createTestGalley } from '../../../support/test-galley.ts'
import { testDesktop, testWindow } from '../../../support/test-window.ts'

test('the request that opens a session is shown before, and sent as edited', async () => {
  const { galley, service, post } = await createTestGalley({ site: { callbackAuth: 'basic' } })
  const { calls, opened, changes } = testWindow(galley)
  const ref = { site: 'acme', materialId: 'post-1' }
  const preview = await calls.previewOpen(ref)
  expect(preview).toMatchObject({
    ok: true,
    value: {
      state: null,
      metadata: '{}',
      lastSent: null,
      session: null,
      lacksSecrets: null,
      callbackUrlChanged: false,
      added: [
        { key: 'version', value: 'galley_0.0.0-test' },
        { key: 'webhook_auth_user', value: null },
        { key: 'webhook_auth_password', value: null },
      ],
    },
  })
  expect(service.opens).toHaveLength(0)

  const metadata = '{"section_id": 12345678901234567890, "apiToken":"x"}'
  expect(await calls.openEditor({ ...ref, title: 'One', metadata })).toMatchObject({ ok: true })
  expect(opened).toHaveLength(1)
  expect(service.opens[0]?.body).toContain('12345678901234567890')
  expect(await calls.openEditor({ ...ref, title: null, metadata: '[1]' })).toMatchObject({
    ok: false,
    failure: { code: 'invalid_metadata' },
  })
  expect(changes).toEqual(['materials'])

  const auth = JSON.parse(service.opens[0]!.body) as { metadata: Record<string, string> }
  const { webhook_auth_user: user, webhook_auth_password: password } = auth.metadata
  const save = aSave(service, { versionId: 'v1' })
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  expect((await post(save.body, { ...save.headers, authorization })).json.rc).toBe(1)
  const site = galley.index.sites.find('acme')!
  galley.index.sites.put({ ...site, callbackUrl: 'https://moved.test/callback/acme' })
  const after = await calls.previewOpen(ref)
  expect(after).toMatchObject({
    value: {
      state: { versionId: 'v1' },
      metadata,
      lastSent: metadata,
      review: { changes: [], warnings: [{ code: 'secret_key', key: 'apiToken' }] },
      callbackUrlChanged: true,
    },
  })
  expect(JSON.stringify(after)).not.toContain(password)
})

test('the session is reported as open even if the browser does not start', async () => {
  const { galley } = await createTestGalley()
  const { desktop } = testDesktop()
  const openInBrowser = () => Promise.reject(new Error('no browser'))
  const { calls } = testWindow(galley, { desktop: { ...desktop, openInBrowser } })
  const opened = await calls.openEditor({ site: 'acme', materialId: 'post-1', title: null })
  expect(opened).toMatchObject({ ok: true, value: { browser: 'failed' } })
})

test('an editor opens at the origin of its service; another origin must be safe, and is confirmed once per site', async () => {
  const { galley, service } = await createTestGalley()
  const { calls, opened, asked, agreed } = testWindow(galley)
  const openAt = async (url: string) => {
    const body = JSON.stringify({ session_id: 's', fingerprint: 'f', url, resizeMode: 'fluid' })
    service.answerOpen({ status: 200, body })
    const answer = await calls.openEditor({ site: 'acme', materialId: 'post-1', title: null })
    return answer.ok ? answer.value.browser : answer.failure.code
  }
  expect(await openAt(`${service.origin}/editor/1`)).toBe('shown')
  expect(await openAt('http://editor.example/1')).toBe('unsafe')
  expect(await openAt('file:///etc/passwd')).toBe('invalid_service_answer')
  expect(asked).toEqual([])
  expect(await openAt('https://editor.example/1')).toBe('declined')
  expect(asked[0]).toMatchObject({
    message: 'Open the editor at https://editor.example?',
    buttons: ['Open editor', 'Cancel'],
  })
  expect(asked[0]?.detail).toContain(`The service of “Acme” is at ${service.origin}`)
  agreed.push(true)
  expect(await openAt('https://editor.example/2')).toBe('shown')
  expect(await openAt('https://editor.example/3')).toBe('shown')
  expect(await openAt('https://editor.example:8443/3')).toBe('declined')
  expect(await openAt('https://editor.example.evil.example/3')).toBe('declined')
  expect(asked).toHaveLength(4)
  expect(opened).toEqual([`${service.origin}/editor/1`, 'https://editor.example/2', 'https://editor.example/3'])

  // The agreement was for this site at this service.
  const site = galley.index.sites.find('acme')!
  await galley.sites.save(siteInputOf({ ...site, apiKey: 'another-key' }), null)
  expect(await openAt('https://editor.example/4')).toBe('declined')
})

import { expect, test } from 'vitest'

import { editorHandlers } from '../../../../src/main/ipc/handlers/editor.ts'
import { aSave, createTestGalley } from '../../../support/test-galley.ts'
import { testDesktop } from '../../../support/test-window.ts'

test('what opening would send is shown before, and sent as it was edited', async () => {
  const { galley, service, post } = await createTestGalley({ site: { callbackAuth: 'basic' } })
  const { desktop, opened } = testDesktop()
  let changes = 0
  const calls = editorHandlers(galley, desktop, () => void (changes += 1))
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
  expect(changes).toBe(1)

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

test('a browser that does not start does not hide that the session is open', async () => {
  const { galley } = await createTestGalley()
  const { desktop } = testDesktop()
  const openInBrowser = () => Promise.reject(new Error('no browser'))
  const calls = editorHandlers(galley, { ...desktop, openInBrowser }, () => undefined)
  const opened = await calls.openEditor({ site: 'acme', materialId: 'post-1', title: null })
  expect(opened).toMatchObject({ ok: true, value: { browser: 'failed' } })
  const unsafe = editorHandlers(galley, { ...desktop, openInBrowser: () => Promise.resolve(false) }, () => undefined)
  expect(await unsafe.openEditor({ site: 'acme', materialId: 'post-1', title: null })).toMatchObject({
    value: { browser: 'unsafe' },
  })
})

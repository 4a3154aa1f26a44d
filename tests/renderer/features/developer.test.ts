import { expect, test } from 'vitest'

import { baseUrlFor, readKitRun } from '../../../src/renderer/features/developer/kit-form.ts'
import type { KitDraft } from '../../../src/renderer/features/developer/kit-form.ts'

const site = {
  callbackUrl: 'https://cms.example/callback/acme',
  baseUrl: 'http://127.0.0.1:8900/integration',
  downloadOrigins: ['https://files.example', 'http://localhost:8788'],
}
const emulator = { url: 'http://127.0.0.1:8900' }

test('the kit takes an address of this computer from which the site downloads, where no emulator is', () => {
  expect(baseUrlFor(site, null)).toBe(site.baseUrl)
  expect(baseUrlFor(site, emulator)).toBe('http://localhost:8788/integration')
  // With no other place the person is told to stop it.
  expect(baseUrlFor({ ...site, downloadOrigins: [] }, emulator)).toBe(site.baseUrl)
  const remote = { ...site, baseUrl: 'https://layout.example/integration', downloadOrigins: [] }
  expect(baseUrlFor(remote, null)).toBe('http://127.0.0.1:8788/integration')
})

const all = ['Signature', 'Fonts']
const draft: KitDraft = {
  callbackUrl: site.callbackUrl,
  apiKey: '',
  secret: '',
  auth: '',
  baseUrl: site.baseUrl,
  materials: ' post-1\n\npost-2\npost-1',
  themes: all,
}
const read = (parts: Partial<KitDraft>, place: typeof emulator | null = null) =>
  readKitRun({ ...draft, ...parts }, { site, emulator: place, all }, (wrong, { origin }) => `${wrong} ${origin}`)

test('the listener of the site needs nothing typed; another backend needs its key and secret', () => {
  const own = { backend: null, baseUrl: site.baseUrl, materials: ['post-1', 'post-2'], themes: null }
  expect(read({})).toEqual({ ok: true, value: own })
  const other = { callbackUrl: 'http://127.0.0.1:8080/callback', apiKey: 'key', secret: ' s', auth: 'ida:a:b' }
  expect(read({ ...other, baseUrl: 'http://127.0.0.1:9/integration', themes: ['Fonts'] })).toMatchObject({
    value: { backend: { ...other, auth: { user: 'ida', password: 'a:b' } }, themes: ['Fonts'] },
  })
  expect(read({ ...other, auth: 'token' })).toMatchObject({
    value: { backend: { auth: { user: 'token', password: null } } },
  })
})

test('what is wrong is said at its field', () => {
  const wrongOf = (...given: Parameters<typeof read>) => {
    const found = read(...given)
    return found.ok
      ? null
      : Object.fromEntries(Object.entries(found.failure).map(([at, why]) => [at, why.split(' ')[0]]))
  }
  expect(wrongOf({ callbackUrl: 'ftp://cms.example', materials: ' ', themes: [] })).toEqual({
    callbackUrl: 'wrongUrl',
    apiKey: 'needed',
    secret: 'needed',
    materials: 'wrongMaterials',
    themes: 'noTheme',
  })
  expect(wrongOf({ baseUrl: 'nowhere' })).toEqual({ baseUrl: 'wrongUrl' })
  expect(wrongOf({ baseUrl: 'http://127.0.0.1:9/integration' })).toEqual({ baseUrl: 'foreign' })
  expect(wrongOf({}, emulator)).toEqual({ baseUrl: 'emulatorThere' })
})

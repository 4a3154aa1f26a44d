import { afterEach, beforeEach, expect, test } from 'vitest'

import type { Service } from './support/service.ts'
import { key, refusalOf, secret, startService } from './support/service.ts'
import type { SiteStub } from './support/site-stub.ts'
import { download, savingSite, signed, startSite, unzip } from './support/site-stub.ts'

const tree = {
  css: { id: 'vms_fonts.css' },
  list: [{ family: 'Inter', variants: [{ files: { woff2: { id: 'Inter.woff2', clientUrl: 'dummy-Inter.woff2' } } }] }],
}
const fonts = { material_id: 'site-fonts', files: { 'Inter.woff2': 'AAEC' }, css: '@font-face{}', tree }

let service: Service
let site: SiteStub
beforeEach(async () => {
  site = await startSite(savingSite(key, secret))
  service = await startService()
})
afterEach(async () => {
  await service.emulator.close()
  await site.close()
})

const send = async (body: unknown): Promise<Record<string, unknown>> =>
  (await (await service.post('/_emulator/fonts', body)).json()) as Record<string, unknown>

test('a font set is sent signed, with its tree and archive, without any session', async () => {
  const report = await send({ ...fonts, callback_url: site.callbackUrl })
  expect(report).toEqual({
    delivered: true,
    http_status: 200,
    answer: { rc: 1, rm: 'Fonts saved successfully' },
    result: 'merged',
    message: 'Fonts saved successfully',
    snapshot_id: expect.stringMatching(/^[\w-]+$/),
  })
  const [callback] = site.callbacks
  const contentUrl = callback?.payload.content_url ?? ''
  expect(callback?.payload).toEqual({
    event: 'site_fonts_updated',
    material_id: 'site-fonts',
    content_url: contentUrl,
    metadata: {},
    fonts: tree,
  })
  const address = `${service.emulator.baseUrl}/download/fonts/`
  expect([contentUrl.startsWith(address), contentUrl.split('/').at(-1)]).toEqual([true, report['snapshot_id']])
  expect(callback?.headers['x-service-signature']).toBe(signed(secret, 'site-fonts', contentUrl))

  const archive = await download(contentUrl, key, secret, 'site-fonts')
  const entries = unzip(Buffer.from(await archive.arrayBuffer()))
  expect([...entries.keys()].toSorted()).toEqual(['vms_fonts.css', 'vms_fonts.json', 'vms_fonts/Inter.woff2'])
  expect(entries.get('vms_fonts/Inter.woff2')).toEqual(Buffer.from([0, 1, 2]))
  expect(JSON.parse(String(entries.get('vms_fonts.json')))).toEqual(tree)
})

test('the latest session of the key lends its callback address and credentials', async () => {
  await service.opened({ material_id: 'old', callback_url: 'http://127.0.0.1:9/old' })
  const metadata = { webhook_auth_user: 'token' }
  await service.opened({ material_id: 'new', callback_url: site.callbackUrl, metadata })
  expect((await send(fonts))['result']).toBe('merged')
  expect(site.callbacks[0]?.headers.authorization).toBe('Bearer token')
  expect(site.callbacks[0]?.payload.metadata).toEqual(metadata)
})

test.each([
  [['http://127.0.0.1:1/f.css', 'http://localhost/f'], 'merged', undefined],
  [['', 'dummy-f'], 'merged', undefined],
  [['http://127.0.0.1/f', 'https://evil.example/f'], 'webhook_failed', 'domain_not_allowed'],
  [['http://127.0.0.1/f', '/fonts/f'], 'webhook_failed', 'domain_not_allowed'],
  [['http://127.0.0.1/f', 'ftp://127.0.0.1/g'], 'webhook_failed', 'domain_not_allowed'],
])('answered addresses %j: %s', async ([css, file], result, error) => {
  const answered = { css: { clientUrl: css }, list: [{ deep: [{ clientUrl: file }] }] }
  site.behaviour = () => ({ body: { rc: 1, rm: 'ok', data: { fonts: answered } } })
  const report = await send({ ...fonts, callback_url: site.callbackUrl })
  expect([report['result'], report['error']]).toEqual([result, error])
  if (error !== undefined) expect(report['message']).toContain(file)
  expect(report['message']).not.toContain('http://127.0.0.1/f')
})

test('a refusal keeps its reason', async () => {
  site.behaviour = () => ({ body: { rc: 0, rm: 'No fonts here' } })
  const report = await send({ ...fonts, callback_url: site.callbackUrl })
  expect(report).toMatchObject({ result: 'rejected', message: 'No fonts here', delivered: true })
})

test.for([
  ['null, as none', null, 'merged', undefined],
  ['a list', [], 'merged', undefined],
  ['a text', JSON.stringify(tree), 'webhook_failed', 'invalid_answer'],
  ['a number', 1, 'webhook_failed', 'invalid_answer'],
  ['false', false, 'webhook_failed', 'invalid_answer'],
] as const)('data.fonts of an answer is %s', async ([, answered, result, error]) => {
  site.behaviour = () => ({ body: { rc: 1, rm: 'ok', data: { fonts: answered } } })
  const report = await send({ ...fonts, callback_url: site.callbackUrl })
  expect([report['result'], report['error']]).toEqual([result, error])
})

test('invalid requests are refused', async () => {
  const refusals = await Promise.all(
    [
      fonts,
      { ...fonts, api_key: 'other', callback_url: site.callbackUrl },
      { ...fonts, callback_url: 'https://evil.example/' },
      { ...fonts, callback_url: 'nowhere' },
      { ...fonts, material_id: '' },
      { ...fonts, files: { '..': '' } },
    ].map(async (body) => (await refusalOf(await service.post('/_emulator/fonts', body))).slice(0, 2)),
  )
  expect(refusals).toEqual([
    [400, 'invalid_request'],
    [401, 'unknown_api_key'],
    [403, 'host_not_allowed'],
    [400, 'invalid_request'],
    [400, 'invalid_request'],
    [400, 'invalid_request'],
  ])
  expect(site.callbacks).toEqual([])
})

test('the editor gets the fonts that the site took last, by name, with faces it can load', async () => {
  const session = await service.opened({ material_id: 'M', callback_url: site.callbackUrl })
  const shown = async () => (await service.session(session['fingerprint'] ?? ''))['fonts'] as Record<string, string>
  expect(await shown()).toEqual({ css_url: null, families: [] })
  const face = (family: string, file: string) => `@font-face{font-family:${family};src:url(dummy-${file})}`
  const css = face('"Inter Tight"', 'a(1).woff2') + face(`'Lora'`, 'a(1).woff2 b') + face('Mono', 'a(1).woff2')
  await send({ ...fonts, files: { 'a(1).woff2': 'AAEC', 'a(1).woff2 b': '' }, css: css + face('Mono', 'x') })
  site.behaviour = () => ({ body: { rc: 0, rm: 'no' } })
  await send({ ...fonts, css: face('Refused', 'x') })

  const { css_url: path = '', families } = await shown()
  expect(families).toEqual(['Inter Tight', 'Lora', 'Mono'])
  const sheet = await fetch(service.emulator.url + path)
  expect(sheet.headers.get('content-type')).toContain('text/css')
  const addresses = [...(await sheet.text()).matchAll(/url\(([^)]*)\)/g)].map(([, address = '']) => address)
  expect(addresses).toEqual(['files/a%281%29.woff2', 'files/a%281%29.woff2%20b', 'files/a%281%29.woff2', 'dummy-x'])
  const font = await fetch(new URL(addresses[0] ?? '', sheet.url))
  expect([font.headers.get('content-type'), Buffer.from(await font.arrayBuffer())]).toEqual([
    'font/woff2',
    Buffer.from([0, 1, 2]),
  ])
})

import { afterEach, beforeEach, expect, test } from 'vitest'

import type { Service } from '../support/service.ts'
import { key, refusalOf, secret, startService } from '../support/service.ts'
import type { SiteStub } from '../support/site-stub.ts'
import { download, savingSite, signed, startSite } from '../support/site-stub.ts'

const prod = { apiKey: 'prod-key', apiSecret: 'prod-secret', environment: 'prod' } as const

let service: Service
let site: SiteStub
beforeEach(async () => {
  site = await startSite(savingSite(key, secret))
  service = await startService({ moreSites: [prod] })
})
afterEach(async () => {
  await service.emulator.close()
  await site.close()
})

/** The same material, opened by the other key. */
const openProd = async (apiSecret: string): Promise<Response> =>
  service.post(
    '/integration/session/open',
    { api_key: prod.apiKey, material_id: 'M', callback_url: site.callbackUrl, vms_json: { of: 'prod' } },
    { 'X-Service-Signature': signed(apiSecret, 'M', site.callbackUrl) },
  )

test('two keys share no session, no secret, no archive and no fonts', async () => {
  const { fingerprint = '' } = await service.opened({ material_id: 'M', callback_url: site.callbackUrl })
  expect((await refusalOf(await openProd(secret))).slice(0, 2)).toEqual([403, 'invalid_signature'])
  const other = (await (await openProd(prod.apiSecret)).json()) as { fingerprint: string }
  expect(other.fingerprint).not.toBe(fingerprint)

  await service.save(fingerprint, { html: '', state: { of: 'dev' } })
  expect(await service.session(fingerprint)).toMatchObject({ state: { of: 'dev' }, site: { environment: 'dev' } })
  expect(await service.session(other.fingerprint)).toMatchObject({
    state: { of: 'prod' },
    site: { api_key: prod.apiKey, environment: 'prod' },
    last_save: null,
  })
  const contentUrl = site.callbacks[0]?.payload.content_url ?? ''
  const strange = await download(contentUrl, prod.apiKey, prod.apiSecret, 'M')
  expect((await refusalOf(strange)).slice(0, 2)).toEqual([403, 'wrong_material'])

  const css = '@font-face{font-family:Inter}'
  await service.post('/_emulator/fonts', { material_id: 'F', files: {}, css, tree: {} })
  const familiesOf = async (shown: string) => (await service.session(shown))['fonts']
  expect(await familiesOf(fingerprint)).toMatchObject({ families: ['Inter'] })
  expect(await familiesOf(other.fingerprint)).toEqual({ css_url: null, families: [] })
})

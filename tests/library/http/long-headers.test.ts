import { expect, it } from 'vitest'

import { aSave, createTestGalley, send } from '../../support/test-galley.ts'

/** The longest value that fits the limit of 16 KiB for all headers, beside those that every request has. */
const chars = 15_500
/** Far more than reading them takes; a pattern that tries each start of a run of blanks takes ten times as long. */
const limitMs = 100

const fills = [' ', '\t', ',', '"', ' ,', ', "', '/', '=', ';', 'W/', '0-', ':']
const values = fills.flatMap((fill) => {
  const long = fill.repeat(Math.floor(chars / fill.length))
  return [`a${long}b`, `bytes=${long}0`, `for=${long}=1`, `application/json${long}x`]
})

it.each([
  ['GET', 'if-none-match'],
  ['GET', 'if-range'],
  ['GET', 'range'],
  ['GET', 'x-forwarded-for'],
  ['GET', 'forwarded'],
  ['GET', 'host'],
  ['POST', 'content-type'],
  ['POST', 'content-encoding'],
  ['POST', 'authorization'],
  ['POST', 'x-service-signature'],
  ['POST', 'origin'],
])('%s with a long %s is answered without holding up the main thread', async (method, name) => {
  const fixture = await createTestGalley(name === 'authorization' ? { site: { callbackAuth: 'basic' } } : {})
  fixture.galley.listener.trustProxies(['127.0.0.1'])
  await fixture.know('post-1')
  const save = aSave(fixture.service)
  await fixture.post(save.body, save.headers)
  const picture = fixture.galley.index.versions.list('acme', 'post-1')[0]?.publicUrls['hero.png'] ?? fixture.listener
  const [url, body] =
    method === 'GET' ? [picture, null] : [`${fixture.listener}/callback/acme`, '{"material_id":"a","content_url":"b"}']
  for (const value of values) {
    const before = process.threadCpuUsage()
    await send(url, method, body, { 'content-type': 'application/json', [name]: value })
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1000, value.slice(0, 20)).toBeLessThan(limitMs)
  }
})

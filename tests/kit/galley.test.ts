import { expect, test } from 'vitest'

import { themes } from '../../packages/kit/cases.ts'
import { siteDefaults } from '../../packages/library/records/site-input.ts'
import { aFreePort } from '../support/free-port.ts'
import { createTestGalley } from '../support/test-galley.ts'
import { failedIn, idsOf, runKit } from './support/kit.ts'

/** A real Galley that knows two materials, asks for credentials and downloads from the kit. */
async function aGalley(downloadTimeoutMs = 20_000) {
  const port = await aFreePort()
  const fixture = await createTestGalley()
  await fixture.know('post-1')
  await fixture.know('post-2')
  const callbackUrl = `${fixture.listener}/callback/acme`
  const { apiKey, secret } = fixture.service
  const address = {
    callbackUrl,
    baseUrl: `http://127.0.0.1:${port}/integration`,
    allowedDomains: [],
    downloadOrigins: [],
  }
  const site = { ...siteDefaults, ...address, id: 'acme', name: 'Acme', apiKey, callbackAuth: 'bearer' as const }
  const saved = await fixture.galley.sites.save({ ...site, downloadTimeoutMs }, secret)
  if (!saved.ok) throw new Error(`The site was not saved: ${JSON.stringify(saved.failure)}`)
  const credentials = await fixture.galley.secrets.callbackAuth(saved.value)
  const user = credentials.ok ? credentials.value?.user : undefined
  if (user === undefined) throw new Error('The site has no credentials')
  return { ...fixture, callbackUrl, apiKey, secret, port, auth: { user, password: null } }
}

test("Galley's own listener passes every case", async () => {
  const backend = await aGalley()
  let isOpened = false
  const onOutcome = () => {
    // One that was just saved, and one that never was.
    if (!isOpened) for (const material of ['post-1', 'post-3']) void backend.know(material)
    isOpened = true
  }
  const report = await runKit(backend, { materials: ['post-1', 'post-2'], auth: backend.auth, onOutcome })
  expect(failedIn(report)).toEqual({})
  expect(report.cutShort).toBeNull()
  // A listener publishes no pages.
  const notAsked = themes.flatMap(({ cases }) =>
    cases.filter(({ needs }) => needs === 'slow' || needs === 'page').map(({ id }) => id),
  )
  expect(Object.keys(idsOf(report, 'unchecked')).toSorted()).toEqual(notAsked.toSorted())
  expect(idsOf(report, 'skipped')).toEqual({})
})

test('also those that wait for its deadlines', async () => {
  const backend = await aGalley(2_000)
  const slow = themes.flatMap(({ cases }) => cases.filter(({ needs }) => needs === 'slow').map(({ id }) => id))
  const report = await runKit(backend, { materials: ['post-1', 'post-2'], auth: backend.auth, only: slow })
  expect(report.outcomes).toHaveLength(slow.length)
  expect(failedIn(report)).toEqual({})
})

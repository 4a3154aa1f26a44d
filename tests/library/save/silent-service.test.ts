import { expect, test } from 'vitest'

import { siteDefaults } from '../../../packages/library/records/site-input.ts'
import { startService } from '../../support/service.ts'
import { aSave, createTestGalley } from '../../support/test-galley.ts'

/** A site that has all its saves wait for a silent service, and another whose service answers. */
async function withSilentService(count: number) {
  const fixture = await createTestGalley({ site: { unknownMaterials: 'accept' } })
  const { galley, service, listener, post } = fixture
  const stored = aSave(service, { materialId: 'post-0' })
  const answer = await post(stored.body, stored.headers)
  expect(answer.json.rc, answer.text).toBe(1)

  const other = await startService('other-secret')
  const beta = {
    ...siteDefaults,

    id: 'beta',
    name: 'Beta',
    baseUrl: other.baseUrl,
    apiKey: other.apiKey,
    callbackUrl: `${listener}/callback/beta`,
    allowedDomains: [],
    downloadOrigins: [],
    unknownMaterials: 'accept' as const,
  }
  const saved = await galley.sites.save(beta, other.secret, { allowHttp: true })
  if (!saved.ok) throw new Error(`The second site was not saved: ${JSON.stringify(saved.failure)}`)

  const begun = Promise.withResolvers<void>()
  const silent: (() => void)[] = []
  service.onDownload((_request, response) => {
    silent.push(() => void response.writeHead(404).end())
    if (silent.length === Math.min(16, count)) begun.resolve()
    return true
  })
  const waiting = Array.from({ length: count }, (_, at) => {
    const save = aSave(service, { materialId: `post-${at}` })
    return post(save.body, save.headers)
  })
  await begun.promise
  return {
    ...fixture,
    stored: { ...stored, answer },
    /** A save of the other site. */
    saveOther: (materialId: string) => {
      const save = aSave(other, { materialId })
      return post(save.body, save.headers, '/callback/beta')
    },
    async end() {
      service.onDownload((_request, response) => (response.writeHead(404).end(), true))
      for (const answerDownload of silent) answerDownload()
      const answers = await Promise.all(waiting)
      await other.close()
      return answers
    },
  }
}

test('saves of other sites do not wait for a site whose service is silent', async () => {
  for (const count of [16, 90]) {
    const { saveOther, end } = await withSilentService(count)
    const answers = await Promise.all(['one', 'two', 'three'].map(saveOther))
    expect(answers.map(({ json }) => json.rc)).toEqual([1, 1, 1])
    // The site itself may fill its queue.
    const codes = (await end()).map(({ json }) => json.code)
    expect(codes.filter((code) => code === 'busy')).toHaveLength(Math.max(0, count - 80))
  }
})

test('a stored delivery is answered at once, also beside a save of its material that waits', async () => {
  const { stored, post, end, galley } = await withSilentService(90)
  expect((await post(stored.body, stored.headers)).text).toBe(stored.answer.text)
  expect(galley.index.callbacks.list({ site: 'acme', outcome: 'duplicate', limit: 10 })).toHaveLength(1)
  await end()
})

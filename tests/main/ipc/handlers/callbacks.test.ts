import { expect, test } from 'vitest'

import { signatureOf } from '../../../support/service.ts'
import { aSave } from '../../../support/test-galley.ts'
import { setUp } from './callback-fixture.ts'

test('a stored callback shows its waterfall, its request and a report without personal data', async () => {
  const { service, post, newest, calls } = await setUp()
  const save = aSave(service)
  await post(save.body, save.headers)
  const row = await newest()
  const detail = await calls.inspectCallback({ id: row.id })
  if (!detail.ok) throw new Error(detail.failure.code)
  const { callback, totalMs, canReplay, request } = detail.value
  const sum = callback.steps.reduce((total, { ms }) => total + ms, 0)
  expect(callback.steps.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['verify', 'wait', 'download', 'index']),
  )
  expect(Math.abs(totalMs - sum)).toBeLessThan(Math.max(20, totalMs / 10))
  expect(canReplay).toBe(true)
  expect(request.body).toContain('"material_id":"post-1"')
  const report = await calls.callbackReport({ id: row.id })
  const text = report.ok ? report.value : ''
  expect(text).toContain(row.id)
  expect(text).not.toMatch(/editor@example|192\.0\.2/)
})

test('a refused callback shows the step where it ended', async () => {
  const { service, post, newest, calls } = await setUp()
  const endOf = async (parts: Parameters<typeof aSave>[1], headers: object = {}) => {
    const save = aSave(service, parts)
    await post(save.body, { ...save.headers, ...headers })
    const detail = await calls.inspectCallback({ id: (await newest()).id })
    return detail.ok ? detail.value.callback.steps.map(({ name }) => name) : []
  }
  expect(await endOf({ materialId: 'unknown' })).toEqual(['verify', 'rules'])
  expect(await endOf({}, { 'x-service-signature': '0'.repeat(64) })).toEqual(['verify'])
  expect(await endOf({}, { origin: 'https://evil.example' })).toEqual(['receive'])
  expect((await endOf({})).slice(0, 3)).toEqual(['verify', 'rules', 'wait'])
})

test('reports a missing callback', async () => {
  const { calls } = await setUp()
  expect(await calls.inspectCallback({ id: 'gone' })).toMatchObject({
    ok: false,
    failure: { code: 'unknown_callback' },
  })
})

test('a replay is shown next to the original answer, as a dry run or for real, one or many', async () => {
  const { service, post, newest, calls, galley } = await setUp()
  const save = aSave(service)
  await post(save.body, save.headers)
  const { id } = await newest()
  expect(await calls.replayCallback({ id, isDryRun: true })).toMatchObject({
    ok: true,
    value: { isDryRun: true, before: { outcome: 'stored' }, after: { outcome: 'duplicate' } },
  })
  const started = await calls.replayCallbacks({ ids: [id, 'gone'], isDryRun: false })
  const task = started.ok ? started.value.task : ''
  await galley.tasks.ended(task)
  expect(galley.tasks.find(task)?.end).toMatchObject({
    kind: 'done',
    result: [{ id, after: { outcome: 'duplicate' } }],
  })
})

test('the signature doctor reads an address whose credentials the list hides', async () => {
  const { service, post, newest, calls, galley } = await setUp()
  const url = `${service.baseUrl}/download/media/s/v1?token=canary`
  const body = { event: 'article_saved', material_id: 'post-1', content_url: url }
  await post(JSON.stringify(body), { 'x-service-signature': signatureOf(service.secret, 'post-1', `${url}/`) })
  const { id } = await newest()
  expect(galley.index.callbacks.find(id)?.contentUrl).toBe(url.replace('canary', '[redacted]'))
  const diagnosis = await calls.diagnoseCallback({ id })
  expect(diagnosis).toMatchObject({ value: { findings: [{ code: 'changed_url', how: 'trailing_slash' }] } })
})

test('the signature doctor finds the cause in what the log keeps', async () => {
  const { examined, galley, service, calls } = await setUp()
  const other = { ...galley.index.sites.find('acme')!, id: 'stage' as never, publish: 'listener' }
  await galley.sites.save({ ...other, allowedDomains: [], downloadOrigins: [] }, 'stage-secret')
  expect(await examined(() => '0'.repeat(64))).toEqual({ findings: [{ code: 'wrong_secret' }], wouldPass: false })
  expect(await examined((_, url) => signatureOf('stage-secret', 'post-1', url))).toEqual({
    findings: [{ code: 'other_site_secret', site: 'stage' }],
    wouldPass: false,
  })
  expect(await examined((_, url) => signatureOf(service.secret, 'post-1', `${url}/`))).toMatchObject({
    findings: [{ code: 'changed_url', how: 'trailing_slash' }],
  })
  expect(await examined((right) => right.toUpperCase())).toEqual({
    findings: [{ code: 'matches' }, { code: 'upper_case' }],
    wouldPass: false,
  })
  expect(await examined((right) => `${right}, ${right}`)).toMatchObject({
    findings: [{ code: 'matches' }, { code: 'several' }],
  })
  expect(await examined((right) => right.slice(0, 60))).toEqual({
    findings: [{ code: 'not_a_signature', length: 60 }],
    wouldPass: false,
  })
  const { callbackUrl } = galley.index.sites.find('acme')!
  expect(await examined(() => signatureOf(service.secret, 'post-1', callbackUrl))).toMatchObject({
    findings: [{ code: 'open_signature' }],
  })
  expect(
    await calls.diagnoseValues({
      site: 'acme',
      materialId: 'post-1',
      contentUrl: 'https://a/b',
      signature: ` ${signatureOf(service.secret, 'post-1', 'https://a/b')} `,
    }),
  ).toEqual({ ok: true, value: { findings: [{ code: 'matches' }, { code: 'blanks' }], wouldPass: true } })
})

import { expect, test } from 'vitest'

import { createMemoryStore } from '../../packages/library/secrets/memory.ts'
import { isVerified, startReceiver } from '../library/webhook/receiver.ts'
import { aLibrary } from '../support/library-with-service.ts'
import { aSave, send } from '../support/test-galley.ts'
import { galley, startListen } from './support/cli.ts'

// What a site tells to its webhook, by command line.

const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
const events = ['version.stored', 'save.failed', 'review.approved', 'review.changes_requested', 'site.published']

async function aSite() {
  const { service, library, environment: own } = await aLibrary()
  const environment = { ...own, GALLEY_WEBHOOK_SECRET_ACME: secret }
  const run = (...args: string[]) => galley([...args, '--json', '--library', library], environment)
  const done = async (...args: string[]): Promise<unknown> => {
    const { code, stderr, json } = await run(...args)
    expect(code, stderr).toBe(0)
    return json()
  }
  return { service, library, environment, run, done }
}

test('a listener tells what is saved and what commands decide', async () => {
  const { service, library, environment, run, done } = await aSite()
  const receiver = await startReceiver()
  const off = {
    site: 'acme',
    url: null,
    events,
    names_in_webhook: false,
    state: 'off',
    secret: 'stored',
    addresses: [],
  }
  expect(await done('site', 'webhook', 'acme')).toEqual({ ...off, problem: null })
  const on = { ...off, url: receiver.url, state: 'on', problem: null }
  expect(await done('site', 'webhook', 'acme', receiver.url)).toEqual(on)
  expect(await done('rules', 'acme', '--names-in-webhook', 'on')).toMatchObject({ names_in_webhook: true })
  expect(await done('site', 'webhook', 'acme')).toEqual({ ...on, names_in_webhook: true })

  const listener = await startListen(library, environment)
  const save = aSave(service, { materialId: 'post', versionId: 'one' })
  await send(`${listener.url}/callback/acme`, 'POST', save.body, {
    'content-type': 'application/json',
    ...save.headers,
  })
  await done('review', 'request', 'acme', 'post', '--by', 'Ida', '--reason', 'Name the quay')
  await expect.poll(() => receiver.received.length).toBe(2)
  const [stored, requested] = receiver.received
  expect([stored, requested].map((each) => each && isVerified(each, secret, new Date()))).toEqual([true, true])
  expect(stored?.message).toMatchObject({ type: 'version.stored', data: { material_id: 'post', version_id: 'one' } })
  expect(requested?.message).toMatchObject({
    type: 'review.changes_requested',
    data: { material_id: 'post', number: 1, decision: 'changes_requested', reason: 'Name the quay', by: 'Ida' },
  })
  await expect
    .poll(async () => ((await done('webhook', 'deliveries', 'acme')) as { state: string }[]).map(({ state }) => state))
    .toEqual(['delivered', 'delivered'])

  const [newest] = (await done('webhook', 'deliveries', 'acme')) as readonly { readonly id: string }[]
  expect(newest?.id).toBe(requested?.headers['webhook-id'])
  expect(await done('webhook', 'resend', newest?.id ?? '')).toMatchObject({
    id: newest?.id,
    state: 'delivered',
    status: 204,
  })
  expect(receiver.received).toHaveLength(3)
  receiver.state.answer = (response) => void response.writeHead(500).end()
  const again = await run('webhook', 'resend', newest?.id ?? '')
  expect([again.code, again.json()]).toMatchObject([
    1,
    { state: 'waiting', status: 500, problem: 'it returned status 500' },
  ])
  expect(await done('site', 'webhook', 'acme')).toMatchObject({ problem: 'it returned status 500' })
  expect(await done('site', 'webhook', 'acme', 'none')).toMatchObject({ url: null, state: 'off', problem: null })
})

test('a new URL gets a new secret, printed once, and the same URL keeps it', async () => {
  const { library } = await aSite()
  const secrets = createMemoryStore()
  const receiver = await startReceiver()
  const run = (args: readonly string[], stdin = '') =>
    galley(['site', 'webhook', 'acme', ...args, '--json', '--library', library], {}, stdin, { secrets })
  const json = async (args: readonly string[], stdin = '') => {
    const { code, stderr, json } = await run(args, stdin)
    expect(code, stderr).toBe(0)
    return json() as { readonly new_secret?: string; readonly secret: string; readonly state: string }
  }
  const made = await json([receiver.url])
  expect(made).toMatchObject({ state: 'on', secret: 'stored', new_secret: expect.stringMatching(/^whsec_/) as string })
  expect(await json([receiver.url])).not.toHaveProperty('new_secret')
  expect(await json(['--event', 'review.approved'])).toMatchObject({ events: ['review.approved'] })
  const other = await json([`${receiver.url}&other`])
  expect(other.new_secret).toMatch(/^whsec_/)
  expect(other.new_secret).not.toBe(made.new_secret)
  expect(await json(['--secret-stdin'], `${secret}\n`)).not.toHaveProperty('new_secret')
  expect(await json(['none'])).toMatchObject({ state: 'off', secret: 'missing' })
})

test.each([
  [['http://hooks.example/']],
  [['https://user@hooks.example/']],
  [['https://hooks.example/', '--event', 'other']],
  [['https://hooks.example/', '--address', 'hooks.example']],
  [['https://hooks.example/', '--secret-stdin']],
])('%j is wrong usage, and sets nothing', async (args) => {
  const { run, done } = await aSite()
  const refused = await run('site', 'webhook', 'acme', ...args)
  expect([refused.code, refused.failure().code]).toEqual([2, 'usage'])
  expect(await done('site', 'webhook', 'acme')).toMatchObject({ url: null, state: 'off' })
})

import { copyFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SiteId } from '@galley/wire'
import { describe, expect, onTestFinished, test } from 'vitest'

import { createMemoryStore } from '../../../packages/library/secrets/memory.ts'
import { aTeam } from '../../support/team.ts'
import { aSave, createTestGalley, temporaryFolder } from '../../support/test-galley.ts'
import type { TestGalley } from '../../support/test-galley.ts'
import { startReceiver } from './receiver.ts'

const site: SiteId = 'acme'

async function saved({ service, know, post }: Pick<TestGalley, 'service' | 'know' | 'post'>, versionId: string) {
  await know('post-1')
  const save = aSave(service, { versionId })
  expect((await post(save.body, save.headers)).status).toBe(200)
}

type WithIndex = Pick<TestGalley, 'galley'>
const deliveries = ({ galley }: WithIndex) => galley.index.webhooks.of(site, 2000)

/** A library whose webhook nobody answers, with a way to open it again. */
async function aLibrary() {
  const folder = await temporaryFolder()
  const secrets = createMemoryStore()
  const open = () => createTestGalley({ edges: { folder, secrets } })
  const first = await open()
  const receiver = await startReceiver()
  await first.galley.webhooks.set(site, { url: receiver.url })
  return { folder, open, first, receiver }
}

const databases = ['index.db', 'local.db']

/** Takes databases back to what they were, as after a crash that has lost their last transactions. */
async function keep(folder: string) {
  const kept = await temporaryFolder()
  for (const name of databases) await copyFile(join(folder, name), join(kept, name))
  return async (): Promise<void> => {
    for (const name of await readdir(folder)) if (/-(wal|shm)$/.test(name)) await rm(join(folder, name))
    for (const name of databases) await copyFile(join(kept, name), join(folder, name))
  }
}

test('a crash after the log, before the databases, loses no message, and its id is the same', async () => {
  const { folder, open, first } = await aLibrary()
  await first.close()
  const takeBack = await keep(folder)
  const second = await open()
  await saved(second, 'one')
  const [before, ...more] = deliveries(second)
  expect(more).toEqual([])
  await second.close()
  await takeBack()
  const third = await open()
  expect(deliveries(third).map(({ id, type, state }) => [id, type, state])).toEqual([
    [before?.id, 'version.stored', 'waiting'],
  ])
})

test('a rebuilt index, and a list of callbacks that is read again, tell nothing twice', async () => {
  const { folder, open, first } = await aLibrary()
  await saved(first, 'one')
  await saved(first, 'two')
  const ids = deliveries(first).map(({ id }) => id)
  expect(ids).toHaveLength(2)
  await first.close()
  for (const name of await readdir(folder)) if (name.startsWith('index.db')) await rm(join(folder, name))
  const second = await open()
  expect(second.galley.library.notes.map(({ kind }) => kind)).toContain('rebuilt')
  expect(deliveries(second).map(({ id }) => id)).toEqual(ids)
  await saved(second, 'three')
  expect(deliveries(second)).toHaveLength(3)
})

test('what another process sends is left to it, until it must have ended', async () => {
  const at = { ms: Date.parse('2026-11-29T12:00:00.000Z') }
  const receiver = await startReceiver()
  const fixture = await createTestGalley({ edges: { now: () => new Date(at.ms) } })
  const { galley } = fixture
  await galley.webhooks.set(site, { url: receiver.url })
  await saved(fixture, 'one')
  await saved(fixture, 'two')
  expect(galley.index.webhooks.claim(site, null, at.ms, at.ms + 60_000)).not.toBeNull()
  await galley.webhooks.sendDue()
  expect(receiver.received).toEqual([])
  at.ms += 60_001
  await galley.webhooks.sendDue()
  expect(receiver.received).toHaveLength(2)
})

test('the newest thousand are kept, and none of a deleted material or site', async () => {
  const { first } = await aLibrary()
  const { galley } = first
  await saved(first, 'one')
  const version = { materialId: 'post-1', versionId: 'one' }
  for (let at = 0; at < 1002; at++)
    galley.index.fields.set('version', site, [version], {
      verdict: {
        decision: 'changes_requested',
        reason: String(at),
        by: 'Ida',
        at: galley.now().toISOString(),
        baseline: null,
      },
    })
  expect(deliveries(first)).toHaveLength(1000)
  expect(deliveries(first).at(-1)?.type).toBe('review.changes_requested')
  galley.index.commit.now(() => [{ kind: 'materials_deleted', site, materialIds: ['post-1'], blobs: [] }])
  expect(deliveries(first)).toEqual([])
  await galley.webhooks.test(site)
  expect(deliveries(first)).toHaveLength(1)
  expect((await galley.sites.remove(site)).ok).toBe(true)
  expect(deliveries(first)).toEqual([])
  expect(galley.index.webhooks.confirmed.of(site)).toBeNull()
})

test('what is sent is due at once, and a running process sends it by itself', async () => {
  const { first, receiver } = await aLibrary()
  const stop = first.galley.webhooks.start()
  onTestFinished(stop)
  await saved(first, 'one')
  await expect.poll(() => receiver.received.length).toBe(1)
  await expect.poll(() => deliveries(first)[0]?.state).toBe('delivered')
})

test('closing ends what is being sent, which waits with its id', async () => {
  const { open, first, receiver } = await aLibrary()
  const reached = Promise.withResolvers<void>()
  receiver.state.answer = () => reached.resolve()
  await saved(first, 'one')
  const sending = first.galley.webhooks.sendDue()
  await reached.promise
  await first.close()
  await sending
  const second = await open()
  expect(deliveries(second)).toMatchObject([{ state: 'waiting', attempts: 0 }])
  receiver.state.answer = (response) => void response.writeHead(204).end()
  await second.galley.webhooks.sendDue()
  expect(deliveries(second)).toMatchObject([{ state: 'delivered' }])
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
    Array.from({ length: 2 }, () => deliveries(second)[0]?.id),
  )
})

describe('in a team', () => {
  async function members() {
    const team = await aTeam()
    Object.assign(team.environment, { GALLEY_WEBHOOK_SECRET_ACME: `whsec_${'A'.repeat(32)}` })
    expect((await team.import()).code).toBe(0)
    const one = await team.listen()
    const receiver = await startReceiver()
    expect(await one.galley.webhooks.set(site, { url: receiver.url })).toMatchObject({ ok: true })
    const folder = await team.newFolder()
    expect((await team.join(folder)).code).toBe(0)
    const other = await team.listen(folder)
    const follow = async ({ galley }: WithIndex): Promise<void> => void (await galley.index.followTeam?.())
    const send = async (): Promise<void> => {
      for (const { galley } of [one, other]) await galley.webhooks.sendDue()
    }
    const save = async (at: typeof one, versionId: string): Promise<void> => {
      expect((await at.deliver(team.save({ materialId: 'post-1', versionId }))).json.rc).toBe(1)
      for (const member of new Set([one, at])) await follow(member)
    }
    return { team, one, other, folder, receiver, send, save }
  }
  const told = ({ received }: Awaited<ReturnType<typeof startReceiver>>) =>
    received.map(({ message }) => message.data['version_id'])

  test('a computer where nobody has confirmed the URL tells nothing, and nobody tells it in its place', async () => {
    const { one, other, receiver, send, save } = await members()
    expect(await other.galley.webhooks.of(site)).toMatchObject({ url: receiver.url, state: 'unconfirmed' })
    await save(other, 'there')
    await send()
    expect([deliveries(one), deliveries(other), receiver.state.connections]).toEqual([[], [], 0])
    // Other changes confirm nothing, and a test is no exception.
    await other.galley.webhooks.set(site, { events: ['version.stored'] })
    expect(await other.galley.webhooks.of(site)).toMatchObject({ events: ['version.stored'], state: 'unconfirmed' })
    expect(await other.galley.webhooks.test(site)).toMatchObject({ state: 'waiting', attempts: 0 })
    await send()
    expect(receiver.state.connections).toBe(0)
  })

  test('the computer where it happened tells it, once', async () => {
    const { one, other, receiver, send, save } = await members()
    expect(await other.galley.webhooks.set(site, { url: receiver.url })).toMatchObject({ ok: true })
    await save(one, 'here')
    await save(other, 'there')
    await send()
    expect(told(receiver)).toEqual(['here', 'there'])
    expect([deliveries(one), deliveries(other)].map((list) => list.map(({ state }) => state))).toEqual([
      ['delivered'],
      ['delivered'],
    ])
  })

  test('another URL has to be confirmed again', async () => {
    const { one, other, receiver, send, save } = await members()
    await other.galley.webhooks.set(site, { url: receiver.url })
    const elsewhere = await startReceiver()
    await one.galley.webhooks.set(site, { url: elsewhere.url })
    await other.galley.index.followTeam?.()
    expect(await other.galley.webhooks.of(site)).toMatchObject({ state: 'unconfirmed' })
    await save(other, 'there')
    await send()
    expect([receiver.state.connections, elsewhere.state.connections]).toEqual([0, 0])
  })

  test('a crash before its own entry is applied loses no message', async () => {
    const { team, other, folder, receiver, save } = await members()
    // With its first entry the computer gets the name by which it knows its entries.
    await save(other, 'before')
    await other.galley.webhooks.set(site, { url: receiver.url })
    await other.close()
    const takeBack = await keep(folder)
    const second = await team.listen(folder)
    await save(second, 'there')
    const [before] = deliveries(second)
    expect(before?.type).toBe('version.stored')
    await second.close()
    await takeBack()
    const third = await team.listen(folder)
    expect(deliveries(third).map(({ id }) => id)).toEqual([before?.id])
  })
})

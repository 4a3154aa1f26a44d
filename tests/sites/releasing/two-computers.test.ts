import { expect, onTestFinished, test } from 'vitest'

import type { Behaviour } from '../../support/s3-server.ts'
import { startS3Server } from '../../support/s3-server.ts'
import { createPublishingFixture } from './fixture.ts'

// Two computers publish to one prefix of a bucket, as members of a team do. On this machine, the other name of the host keeps
// the lock of the target from holding one of them back.

async function twoComputers(stallMs: number, behaviour: Behaviour = {}) {
  const server = await startS3Server(behaviour)
  onTestFinished(server.close)
  const aComputer = async (host: string) => {
    const fixture = await createPublishingFixture({ stallMs })
    const endpoint = `http://${host}:${new URL(server.url).port}`
    const target = await fixture.addTarget('s3:team/www', { endpoint, key: 'anyone:anything' })
    // Their libraries are two, and not members of a team.
    const publish = () => fixture.publish(target, false, 'warn', { takeOver: true })
    return { save: fixture.save, publish }
  }
  const text = (path: string) => server.objects.get(`www/${path}`)?.toString() ?? null
  return { server, text, one: await aComputer('127.0.0.1'), other: await aComputer('localhost') }
}

const busy = { ok: false, failure: { reason: { code: 'target_busy' }, state: 'unchanged' } }

test('publishes nothing while another computer does', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const { text, one, other } = await twoComputers(12_000, {
    async hold(method, key) {
      if (method !== 'PUT' || !key.endsWith('post-1/index.html')) return
      reach()
      await held
    },
  })
  await one.save('post-1', '<p>Of one</p>')
  await other.save('post-1', '<p>Of the other</p>')
  const first = one.publish()
  await reached
  expect(await other.publish()).toMatchObject(busy)
  release()
  expect(await first).toMatchObject({ ok: true })
  expect(text('post-1/index.html')).toContain('Of one')
  expect(await other.publish()).toMatchObject({ ok: true })
  expect(text('post-1/index.html')).toContain('Of the other')
  expect(text('.galley/unfinished.json')).toBe(null)
})

test('makes a new plan where another computer has published since', async () => {
  const between: { publish: (() => Promise<unknown>) | null; asked: number } = { publish: null, asked: 0 }
  const { text, one, other } = await twoComputers(6000, {
    async hold(method, key) {
      // The plan reads the note first; the second time is before anything is written.
      if (between.publish === null || method !== 'GET' || !key.endsWith('unfinished.json')) return
      if ((between.asked += 1) < 2) return
      const { publish } = between
      between.publish = null
      await publish()
    },
  })
  await one.save('post-1', '<p>Of one</p>')
  await other.save('post-1', '<p>Of the other</p>')
  between.publish = one.publish
  expect(await other.publish()).toMatchObject(busy)
  expect(text('post-1/index.html')).toContain('Of one')
  expect(text('.galley/unfinished.json')).toBe(null)
  expect(await other.publish()).toMatchObject({ ok: true })
})

test('continues where another computer has stopped', async () => {
  const { server, text, one } = await twoComputers(1200)
  await one.save('post-1', '<p>Text</p>')
  const left = {
    format: 'galley-unfinished',
    owner: 'team',
    paths: ['old/index.html'],
    computer: 'gone',
    heartbeat: '1',
  }
  server.objects.set('www/old/index.html', Buffer.from('left'))
  server.objects.set('www/.galley/unfinished.json', Buffer.from(JSON.stringify(left)))
  expect(await one.publish()).toMatchObject({ ok: true })
  expect([text('old/index.html'), text('.galley/unfinished.json')]).toEqual([null, null])
})

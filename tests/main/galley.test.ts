import { mkdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import type { ListenerState } from '../../packages/library/records/listener-state.ts'
import { aSave, createTestGalley } from '../support/test-galley.ts'

/** A library whose listener was stopped, with what its state says from then on. */
async function setUp() {
  const made = await createTestGalley({ listen: false })
  const states: ListenerState['kind'][] = []
  made.galley.listener.onState(({ kind }) => void states.push(kind))
  return { ...made, states, start: () => made.galley.listener.start('127.0.0.1', 0) }
}

it('the credentials of proxies are hidden from logs', async () => {
  const sources: (() => Iterable<string>)[] = []
  const environment = { HTTP_PROXY: 'http://ann:hunter2@127.0.0.1:1', https_proxy: 'bob:p%40ss@127.0.0.1:1' }
  await createTestGalley({ edges: { environment, hide: (values) => void sources.push(values) }, listen: false })
  const hidden = sources.flatMap((values) => [...values()])
  expect(hidden).toEqual(expect.arrayContaining(['ann', 'hunter2', 'bob', 'p%40ss']))
})

describe('the state of the listener', () => {
  it('does not stay at starting if the library cannot be owned', async () => {
    const { galley, folder, states, start } = await setUp()
    await mkdir(join(folder, 'owner.json.new'))
    expect(await start()).toMatchObject({ kind: 'failed', code: 'library_unusable' })
    expect(galley.listener.state().kind).toBe('failed')
    await rm(join(folder, 'owner.json.new'), { recursive: true })
    expect(await start()).toMatchObject({ kind: 'listening' })
    expect(states).toEqual(['starting', 'failed', 'starting', 'listening'])
  })

  it('is stopped if nothing listens, even if the library accepts no more notes', async () => {
    const { galley, folder, lines, start } = await setUp()
    await start()
    await rm(join(folder, 'owner.json'))
    await mkdir(join(folder, 'owner.json'))
    await galley.listener.stop()
    expect(galley.listener.state()).toEqual({ kind: 'stopped' })
    expect(lines.join()).toContain('the end of the listener could not be recorded')
    await rm(join(folder, 'owner.json'), { recursive: true })
    expect(await start()).toMatchObject({ kind: 'listening' })
  })

  it('is stopping while a save is in progress', async () => {
    const { galley, service, know, post } = await createTestGalley()
    await know('post-1')
    const save = aSave(service)
    const asked = Promise.withResolvers<() => void>()
    service.onDownload((_request, response) => {
      asked.resolve(() => void response.writeHead(404).end())
      return true
    })
    const answered = post(save.body, save.headers)
    const answerDownload = await asked.promise
    const states: ListenerState['kind'][] = []
    const isStopping = new Promise<void>((resolve) =>
      galley.listener.onState(({ kind }) => {
        states.push(kind)
        resolve()
      }),
    )
    const stopped = galley.listener.stop()
    await isStopping
    expect(states).toEqual(['stopping'])
    answerDownload()
    await stopped
    expect(await answered).toMatchObject({ status: 502 })
    expect(states).toEqual(['stopping', 'stopped'])
  })

  it('ends only after the last callback was announced, also if its caller has hung up', async () => {
    const { galley, service, listener, know, close } = await createTestGalley()
    await know('post-1')
    const announced: unknown[] = []
    galley.changes.onCallback((id) => void announced.push(galley.index.callbacks.find(id)?.outcome))
    const asked = Promise.withResolvers<() => void>()
    service.onDownload((_request, response) => {
      asked.resolve(() => void response.writeHead(404).end())
      return true
    })
    const save = aSave(service)
    const caller = request(`${listener}/callback/acme`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...save.headers },
    })
    const isGone = new Promise<void>((resolve) => caller.once('close', resolve))
    caller.on('error', () => undefined).end(save.body)
    const answerDownload = await asked.promise
    caller.destroy()
    await isGone
    const closed = close()
    answerDownload()
    await closed
    expect(announced).toEqual(['failed'])
  })

  it('announces nothing after the library was closed, even if an abandoned save still ends', async () => {
    const { galley, close } = await createTestGalley()
    const announced: string[] = []
    galley.changes.onCallback((id) => void announced.push(id))
    const unwatch = galley.changes.watch(() => void announced.push('change'))
    galley.changes.callbackAnswered('in-time')
    unwatch()
    await close()
    galley.changes.callbackAnswered('late')
    expect(announced).toEqual(['in-time', 'change'])
  })

  it('names no other process when it is started twice at once, or while it stops', async () => {
    const { galley, states, start } = await setUp()
    expect(await Promise.all([start(), start()])).toMatchObject([{ kind: 'listening' }, { kind: 'listening' }])
    const stopped = galley.listener.stop()
    expect(await start()).toMatchObject({ kind: 'listening' })
    await stopped
    expect(states).toEqual(['starting', 'listening', 'stopping', 'stopped', 'starting', 'listening'])
  })
})

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { failCalls } from '../support/failing-calls.ts'
import { aLibrary } from '../support/library-with-service.ts'
import { randomFrom } from '../support/random.ts'
import type { SaveShape } from '../support/saves.ts'
import { createSaves, post, servedProblem } from '../support/saves.ts'
import { galley, startListen } from './support/cli.ts'

const patience = { interval: 100 }

async function aListener(shape: SaveShape = { sizes: [3_000, 70_000] }) {
  const { service, library, environment } = await aLibrary()
  const saves = createSaves(service, randomFrom(19), shape)
  const start = async () => {
    const listener = await startListen(library, environment, { args: ['--port', '0', '--health-port', '0'] })
    const { health_url: health } = listener.lines[0] as { health_url: string }
    const ready = async () => {
      const answer = await fetch(`${health}/ready`)
      return { status: answer.status, ...((await answer.json()) as { state: string; message?: string }) }
    }
    return { ...listener, ready, processId: listener.child.pid ?? 0 }
  }
  const listener = await start()
  const first = saves.prepare('media', 'post/1')
  saves.acknowledge(first, (await post(listener.url, first))?.text ?? '')
  const [segment = ''] = readdirSync(join(library, 'log'))
  const fsck = async () => (await galley(['fsck', '--json', '--library', library], environment)).json()
  return { library, listener, start, first, fsck, segment: join(library, 'log', segment), ...saves }
}

const errors = [
  ['EIO', 'the disk reported an error'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EROFS', 'the disk is read-only'],
  ['ESTALE', 'a file cannot be used (ESTALE)'],
] as const

describe('a sync of the log that failed', () => {
  it.each([
    ...errors.map(([error, why]) => ({ error, why, files: 2 })),
    { error: 'EDQUOT', why: 'the disk quota is used up', files: 1_100 },
    { error: 'ESTALE', why: 'a file cannot be used (ESTALE)', files: 1_100 },
  ])('with $error is disk_failed until the restart, in a save of $files files too', async ({ error, why, files }) => {
    const room = await aListener({ sizes: Array.from({ length: files }, () => 64) })
    const { listener, segment, first, prepare, acknowledge } = room
    const fault = await failCalls(listener.processId, ['fsync', 'fdatasync'], error, [segment])
    const save = prepare('media', 'post/1')
    const refused = await post(listener.url, save)
    expect((await fault.mend()).failed).toBeGreaterThan(0)
    const code = { rc: 0, code: 'storage_failed' }
    expect([refused?.status, refused?.json], refused?.text).toMatchObject([500, code])
    expect(refused?.json.rm).toContain(`because ${why}`)
    expect(refused?.json.rm).toContain('then restart Galley')
    // The disk works again, which says nothing about the bytes that it lost.
    const state = { status: 503, ready: false, state: 'disk_failed', reason: 'sync_failed' }
    expect(await listener.ready()).toMatchObject({ ...state, message: expect.stringContaining(why) })
    expect((await post(listener.url, save))?.json).toMatchObject(code)
    expect(await listener.ready()).toMatchObject(state)
    expect(await servedProblem(listener.url, first)).toBeNull()
    listener.child.kill('SIGTERM')
    expect(await listener.ended).toBe(0)

    const again = await room.start()
    expect(await again.ready()).toMatchObject({ status: 200, state: 'ready' })
    const stored = await post(again.url, save)
    expect(stored?.json.rc, stored?.text).toBe(1)
    acknowledge(save, stored?.text ?? '')
    expect(await Promise.all([first, save].map((each) => servedProblem(again.url, each)))).toEqual([null, null])
    expect(await room.fsck()).toMatchObject({ ok: true, findings: [] })
  })
})

describe('a write to the log that failed', () => {
  it.each([
    ['EDQUOT', 'quota_used', 'the disk quota is used up'],
    ['ESTALE', 'file_unusable', 'a file cannot be used (ESTALE)'],
  ])('with %s is the state %s until a probe goes well, without a restart or a save', async (error, code, why) => {
    const { listener, segment, prepare, acknowledge, library } = await aListener()
    const probe = join(library, 'log', 'probe')
    const fault = await failCalls(listener.processId, ['pwrite64', 'write'], error, [segment, probe])
    const save = prepare('media', 'post/1')
    const refused = await post(listener.url, save)
    expect([refused?.status, refused?.json], refused?.text).toMatchObject([500, { rc: 0, code: 'storage_failed' }])
    expect(refused?.json.rm).toContain(`could not store the save: ${why}`)
    expect(await listener.ready()).toMatchObject({ status: 503, state: code, reason: code, message: why })
    await fault.mend()
    await expect.poll(listener.ready, patience).toMatchObject({ status: 200, state: 'ready' })
    const stored = await post(listener.url, save)
    expect(stored?.json.rc, stored?.text).toBe(1)
    acknowledge(save, stored?.text ?? '')
    expect(await servedProblem(listener.url, save)).toBeNull()
  })
})

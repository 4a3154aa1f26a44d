import { expect, it } from 'vitest'

import { startListen } from '../cli/support/cli.ts'
import { send } from '../support/delivery.ts'
import type { Mishap } from '../support/s3-server.ts'
import { aTeam, aTeamWithOutage } from '../support/team.ts'

it('is alive but not ready while the bucket cannot be reached, and logs when that begins and ends', async () => {
  const team = await aTeamWithOutage()
  expect((await team.import()).code).toBe(0)
  const args = ['--port', '0', '--health-port', '0', '--log', 'json']
  const listener = await startListen(team.library, team.environment, { args })
  const { health_url: health } = listener.lines[0] as { health_url: string }
  const ready = async () => {
    const answer = await fetch(`${health}/ready`)
    return { status: answer.status, body: await answer.json() }
  }
  const isReady = { status: 200, body: { ready: true, state: 'ready' } }
  const message = 'the bucket of the team does not respond. Check the endpoint, the network and the storage'
  const isOffline = {
    status: 503,
    body: { ready: false, state: 'team_offline', reason: 'bucket_away', message },
  }
  const deliver = async () => {
    const { body, headers } = team.save({ materialId: 'post-1', versionId: 'v1' })
    return send(`${listener.url}/callback/acme`, 'POST', body, { 'content-type': 'application/json', ...headers })
  }
  await expect.poll(ready).toEqual(isReady)

  team.outage.isAway = true
  // Nothing is saved: the probes alone notice it.
  await expect.poll(ready).toEqual(isOffline)
  expect((await fetch(`${health}/live`)).status).toBe(200)
  expect(await deliver()).toMatchObject({ status: 500, json: { rc: 0, code: 'storage_failed' } })

  team.outage.isAway = false
  await expect.poll(ready).toEqual(isReady)
  expect((await deliver()).json.rc).toBe(1)
  const log = listener.stderr().trim().split('\n')
  const said = log.map((line) => (JSON.parse(line) as { message: string }).message)
  expect(said.filter((message) => /the team/.test(message))).toEqual([
    expect.stringMatching(/^offline from the team: .*bucket/),
    expect.stringMatching(/^save .* could not be stored: the bucket of the team does not respond/),
    'the bucket of the team responds again',
  ])
})

it('tells wrong keys, a missing bucket, keys that may not write, and a bucket that cannot be reached apart', async () => {
  const fault: { mishap: Mishap; isOfWrites: boolean } = { mishap: null, isOfWrites: false }
  const team = await aTeam({ mishap: (method) => (fault.isOfWrites && method === 'GET' ? null : fault.mishap) })
  expect((await team.import()).code).toBe(0)
  const { team: member } = (await team.listen()).galley
  const cases = [
    ['key_unknown', false, { state: 'team_stopped', why: { code: 'bucket_key_unknown' } }],
    ['key_wrong', false, { state: 'team_stopped', why: { code: 'bucket_key_wrong' } }],
    ['no_bucket', false, { state: 'team_stopped', why: { code: 'bucket_missing', name: 'team' } }],
    ['clock', false, { state: 'team_stopped', why: { code: 'bucket_clock' } }],
    ['cut_before', false, { state: 'team_offline', why: { code: 'bucket_away' } }],
    ['status_403', true, { state: 'team_read_only', why: { code: 'bucket_denied' } }],
  ] as const
  for (const [mishap, isOfWrites, found] of cases) {
    Object.assign(fault, { mishap, isOfWrites })
    await member?.sync()
    await member?.askForRights()
    expect(await member?.readiness()).toMatchObject(found)
    fault.mishap = null
    await member?.sync()
    await member?.askForRights()
    expect(await member?.readiness()).toEqual({ state: 'ready' })
  }
})

it('is not ready while the bucket refuses its writes, and is ready again once it takes them', async () => {
  const keys = { canWrite: true }
  const team = await aTeam({ mishap: (method) => (method === 'GET' || keys.canWrite ? null : 'status_403') })
  expect((await team.import()).code).toBe(0)
  const args = ['--port', '0', '--health-port', '0']
  const answerOf = (health: string) => fetch(`${health}/ready`)
  const statusOf = async (health: string) => (await answerOf(health)).status

  const listener = await startListen(team.library, team.environment, { args })
  const { health_url: health } = listener.lines[0] as { health_url: string }
  await expect.poll(() => statusOf(health)).toBe(200)
  keys.canWrite = false
  const { body, headers } = team.save({ materialId: 'post-1', versionId: 'v1' })
  const deliver = () =>
    send(`${listener.url}/callback/acme`, 'POST', body, { 'content-type': 'application/json', ...headers })
  expect(await deliver()).toMatchObject({ status: 500, json: { rc: 0, code: 'storage_failed' } })
  const unready = await answerOf(health)
  expect([unready.status, await unready.json()]).toMatchObject([
    503,
    { state: 'team_read_only', reason: 'bucket_denied', message: expect.stringContaining('denies access') as string },
  ])
  keys.canWrite = true
  await expect.poll(() => statusOf(health)).toBe(200)
  expect((await deliver()).json.rc).toBe(1)

  // One that starts like this notices it without a save.
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  keys.canWrite = false
  const other = await startListen(folder, team.environment, { args })
  const { health_url: otherHealth } = other.lines[0] as { health_url: string }
  expect(await statusOf(otherHealth)).toBe(503)
  keys.canWrite = true
  await expect.poll(() => statusOf(otherHealth)).toBe(200)
})

it('a save that waits for the bucket when the listener stops is answered and listed', async () => {
  const held = { isDue: false, reached: Promise.withResolvers<void>() }
  const team = await aTeam({
    hold(method, key) {
      if (!held.isDue || method !== 'GET' || !key.includes('/log/')) return Promise.resolve()
      held.reached.resolve()
      return new Promise(() => undefined)
    },
  })
  expect((await team.import()).code).toBe(0)
  const member = await team.listen()
  held.isDue = true
  const answer = member.deliver(team.save({ materialId: 'post-1', versionId: 'v1' }))
  await held.reached.promise
  await member.close()
  expect((await answer).json).toMatchObject({ rc: 0, code: 'busy' })
  expect(member.lines).toEqual([])
  held.isDue = false
  expect((await team.run(team.library, 'callbacks')).json()).toMatchObject([{ outcome: 'failed', code: 'busy' }])
})

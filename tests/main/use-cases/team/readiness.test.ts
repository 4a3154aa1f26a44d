import { expect, it } from 'vitest'

import { startListen } from '../../../cli/support/cli.ts'
import { send } from '../../../support/delivery.ts'
import { aTeam, aTeamWithOutage } from '../../../support/team.ts'

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
  const isOffline = { status: 503, body: { ready: false, state: 'team_offline' } }
  const deliver = async () => {
    const { body, headers } = team.save({ materialId: 'post-1', versionId: 'v1' })
    return send(`${listener.url}/callback/acme`, 'POST', body, { 'content-type': 'application/json', ...headers })
  }
  await expect.poll(ready).toEqual(isReady)

  team.outage.isAway = true
  // Nothing is saved: the probes alone notice it.
  await expect.poll(ready, { timeout: 15_000 }).toEqual(isOffline)
  expect((await fetch(`${health}/live`)).status).toBe(200)
  expect(await deliver()).toMatchObject({ status: 500, json: { rc: 0, code: 'storage_failed' } })

  team.outage.isAway = false
  await expect.poll(ready, { timeout: 15_000 }).toEqual(isReady)
  expect((await deliver()).json.rc).toBe(1)
  const log = listener.stderr().trim().split('\n')
  const said = log.map((line) => (JSON.parse(line) as { message: string }).message)
  expect(said.filter((message) => /the team/.test(message))).toEqual([
    expect.stringMatching(/^offline from the team: .*bucket/),
    expect.stringMatching(/^save .* could not be stored: the bucket of the team does not respond/),
    'the bucket of the team responds again',
  ])
}, 90_000)

it('is not ready while the bucket refuses its writes, and is ready again once it takes them', async () => {
  const keys = { canWrite: true }
  const team = await aTeam({ mishap: (method) => (method === 'GET' || keys.canWrite ? null : 'status_403') })
  expect((await team.import()).code).toBe(0)
  const args = ['--port', '0', '--health-port', '0']
  const statusOf = async (health: string) => (await fetch(`${health}/ready`)).status

  const listener = await startListen(team.library, team.environment, { args })
  const { health_url: health } = listener.lines[0] as { health_url: string }
  await expect.poll(() => statusOf(health)).toBe(200)
  keys.canWrite = false
  const { body, headers } = team.save({ materialId: 'post-1', versionId: 'v1' })
  const deliver = () =>
    send(`${listener.url}/callback/acme`, 'POST', body, { 'content-type': 'application/json', ...headers })
  expect(await deliver()).toMatchObject({ status: 500, json: { rc: 0, code: 'storage_failed' } })
  expect(await statusOf(health)).toBe(503)
  keys.canWrite = true
  await expect.poll(() => statusOf(health), { timeout: 15_000 }).toBe(200)
  expect((await deliver()).json.rc).toBe(1)

  // One that starts like this finds out by itself.
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  keys.canWrite = false
  const other = await startListen(folder, team.environment, { args })
  const { health_url: otherHealth } = other.lines[0] as { health_url: string }
  expect(await statusOf(otherHealth)).toBe(503)
  keys.canWrite = true
  await expect.poll(() => statusOf(otherHealth), { timeout: 15_000 }).toBe(200)
}, 90_000)

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
}, 60_000)

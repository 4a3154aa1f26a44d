import { expect, it, onTestFinished } from 'vitest'

import { send } from '../support/delivery.ts'
import { aTeam, aTeamWithOutage } from '../support/team.ts'

/** The first member of a team, and another one. */
async function twoMembers() {
  const team = await aTeam()
  expect((await team.import()).code).toBe(0)
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  return { ...team, one: await team.listen(), other: await team.listen(folder), folder }
}

it('shows a save of another member within seconds, and notifies watchers', async () => {
  const { one, other, save } = await twoMembers()
  let told = 0
  onTestFinished(other.galley.changes.watch(() => void (told += 1)))
  const stop = other.galley.team?.keepFollowing(() => true)
  const stored = await one.deliver(save({ materialId: 'post-1', versionId: 'v1' }))
  expect(stored.json.rc).toBe(1)
  const startedMs = performance.now()
  await expect.poll(() => other.galley.index.versions.list('acme', 'post-1'), { interval: 20 }).toHaveLength(1)
  // It asks every 2 seconds; without a watcher, it asks every 30.
  expect(performance.now() - startedMs).toBeLessThan(28_000)
  await expect.poll(() => told).toBeGreaterThan(0)
  stop?.()
})

it('finds files and sites of another member at once, and asks to try again while the team cannot be asked', async () => {
  const team = await aTeamWithOutage()
  expect((await team.import()).code).toBe(0)
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  const [one, other] = [await team.listen(), await team.listen(folder)]
  const read = async (versionId: string) => {
    expect((await one.deliver(team.save({ materialId: 'post-1', versionId }))).json.rc).toBe(1)
    const version = one.galley.index.versions.list('acme', 'post-1').find((each) => each.versionId === versionId)
    const { pathname } = new URL(version?.publicUrls['hero.png'] ?? '')
    return () => send(`${other.url}${pathname}`, 'GET', null)
  }
  // One right after the other.
  expect((await (await read('v1'))()).status).toBe(200)
  expect((await (await read('v2'))()).status).toBe(200)
  const site = ['--base-url', team.service.baseUrl, '--api-key', 'k', '--callback-url', 'http://127.0.0.1/callback/new']
  expect((await team.run(team.library, 'site', 'add', 'new', ...site)).code).toBe(0)
  const { body, headers } = team.save()
  const callback = () =>
    send(`${other.url}/callback/new`, 'POST', body, { 'content-type': 'application/json', ...headers })
  expect((await callback()).json.code).toBe('secrets_unavailable')

  const readLater = await read('v3')
  team.outage.isAway = true
  expect(await readLater()).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  team.outage.isAway = false
  await expect.poll(async () => (await readLater()).status).toBe(200)
  // Until it has caught up, a member that was offline answers at once.
  const readUnknown = () => send(`${other.url}/media/${'0'.repeat(32)}/none.png`, 'GET', null)
  await expect.poll(async () => (await readUnknown()).status).toBe(404)
})

it('decides about a save at the end of the team log, even if this machine was behind', async () => {
  const { one, other, save, run, folder } = await twoMembers()
  // Set on one machine, in force on the other a moment later.
  expect((await run(folder, 'site', 'add', 'acme', '--unknown-materials', 'refuse')).code).toBe(0)
  const unknown = save({ materialId: 'post-9', versionId: 'v1' })
  expect((await one.deliver(unknown)).json).toMatchObject({ rc: 0, code: 'refused' })
  expect((await run(folder, 'open', 'acme', 'post-9')).code).toBe(0)
  expect((await one.deliver(unknown)).json.rc).toBe(1)
  // Different content under a stored name, and the same content twice at the same time.
  const session = '22222222-2222-4333-8444-555555555555'
  const conflicting = save({
    materialId: 'post-9',
    versionId: 'v1',
    session,
    files: { 'hero.png': Buffer.from('other') },
  })
  expect((await other.deliver(conflicting)).json.code).toBe('version_conflict')
  const twice = save({ materialId: 'post-9', versionId: 'v2' })
  const answers = await Promise.all([one.deliver(twice), other.deliver(twice)])
  expect(answers.map(({ json }) => json.rc)).toEqual([1, 1])
  expect(answers[0]?.json.data).toEqual(answers[1]?.json.data)
  await one.galley.team?.sync()
  expect(one.galley.index.versions.list('acme', 'post-9')).toHaveLength(2)
})

it('receives saves of a site as another machine has just changed it, and none once it is removed', async () => {
  const { one, other, save, run, folder } = await twoMembers()
  const rule = (value: string) => run(folder, 'site', 'add', 'acme', '--unknown-materials', value)
  expect((await rule('refuse')).code).toBe(0)
  expect((await one.deliver(save({ materialId: 'post-9' }))).json.code).toBe('refused')
  expect((await rule('accept')).code).toBe(0)
  expect((await one.deliver(save({ materialId: 'post-9' }))).json.rc).toBe(1)
  expect((await run(folder, 'site', 'remove', 'acme')).code).toBe(0)
  for (const member of [one, other])
    expect(await member.deliver(save({ materialId: 'post-9' }))).toMatchObject({
      status: 404,
      json: { rc: 0, code: 'not_found' },
    })
})

it('creates the same callback credentials on every machine that has the secret', async () => {
  const { one, other } = await twoMembers()
  for (const kind of ['basic', 'bearer'] as const) {
    const site = { id: one.galley.index.sites.list()[0]?.id ?? '', callbackAuth: kind }
    const made = await one.galley.secrets.callbackAuth(site)
    expect(made).toMatchObject({ ok: true, value: { password: kind === 'basic' ? expect.any(String) : null } })
    expect(await other.galley.secrets.callbackAuth(site)).toEqual(made)
  }
})

it('sends a checkpoint if the newest one is far behind, and keeps two', async () => {
  const { one, objects } = await twoMembers()
  const { commit, rules, sites } = one.galley.index
  const [site] = sites.list()
  if (!site) throw new Error('The site is gone')
  const checkpoints = (): readonly string[] => [...objects.keys()].filter((key) => key.includes('/checkpoints/'))
  const before = checkpoints()
  for (let nth = 0; nth < 2_000; nth += 1)
    await commit.write(() => rules.pause(site.id, { reason: '', since: new Date(nth).toISOString() }))
  const stop = one.galley.team?.keepFollowing(() => true)
  await expect.poll(() => checkpoints().length).toBe(before.length + 1)
  stop?.()
})

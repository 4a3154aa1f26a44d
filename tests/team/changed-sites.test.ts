import { expect, it, onTestFinished } from 'vitest'

import { galley as command } from '../cli/support/cli.ts'
import { startService } from '../support/service.ts'
import { aTeam } from '../support/team.ts'

/** A member that changes sites by commands, and another one that listens and has the secret of the site acme. */
async function twoMembers() {
  const team = await aTeam()
  const elsewhere = await startService()
  onTestFinished(elsewhere.close)
  expect((await team.import()).code).toBe(0)
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  const { galley, deliver } = await team.listen(folder)
  const stateOf = async (id = 'acme') => {
    await galley.team?.sync()
    return galley.sites.find(id)
  }
  const change = async (...args: string[]): Promise<void> => {
    const ran = await team.run(team.library, 'site', 'add', ...args)
    expect(ran.code, ran.stderr).toBe(0)
  }
  const open = (site: string) =>
    galley.sessions.open({ site, materialId: 'post-1', title: null, slug: null, metadata: null })
  return { ...team, elsewhere, folder, galley, deliver, stateOf, change, open }
}

it('uses no secret for an address that another member has set, until a person on this machine confirms it', async () => {
  const { service, elsewhere, environment, folder, run, save, deliver, stateOf, change, open } = await twoMembers()
  expect(await stateOf()).toMatchObject({ isConfirmed: true, secret: 'stored' })
  expect((await deliver(save({ materialId: 'post-1', versionId: 'v1' }))).json.rc).toBe(1)
  await change('acme', '--name', 'Renamed')
  expect(await stateOf()).toMatchObject({ name: 'Renamed', isConfirmed: true })

  await change('acme', '--base-url', elsewhere.baseUrl)
  expect(await stateOf()).toMatchObject({ baseUrl: elsewhere.baseUrl, isConfirmed: false, secret: 'stored' })
  expect(await open('acme')).toMatchObject({ failure: { code: 'site_unconfirmed' } })
  expect([elsewhere.opens, elsewhere.downloads]).toEqual([[], []])
  const shown = await run(folder, 'site', 'show', 'acme')
  expect(shown.json()).toMatchObject({ confirmed: false, base_url: elsewhere.baseUrl })
  const text = (await command(['site', 'show', 'acme', '--library', folder], environment)).stdout
  expect(text).toContain(`base URL was ${service.baseUrl}, is ${elsewhere.baseUrl}`)
  expect(text).not.toContain('API key was')

  // An unchanged address needs no confirmation, nor does one that was confirmed here.
  await change('acme', '--base-url', service.baseUrl)
  expect(await stateOf()).toMatchObject({ isConfirmed: true })
  await change('acme', '--api-key', 'another')
  expect(await stateOf()).toMatchObject({ isConfirmed: false })
  const later = save({ materialId: 'post-1', versionId: 'v2' })
  const downloads = service.downloads.length
  expect((await deliver(later)).json).toMatchObject({ rc: 0, code: 'site_unconfirmed' })
  expect(service.downloads).toHaveLength(downloads)
  await change('acme', '--api-key', service.apiKey)
  expect(await stateOf()).toMatchObject({ isConfirmed: true })
  expect((await deliver(later)).json.rc).toBe(1)
  await change('acme', '--base-url', elsewhere.baseUrl)
  expect((await run(folder, 'site', 'add', 'acme')).code).toBe(0)
  expect(await stateOf()).toMatchObject({ baseUrl: elsewhere.baseUrl, isConfirmed: true })
})

it('asks for confirmation of every setting that decides where signatures, keys and media go, and of a new site that shares a secret', async () => {
  const { change, stateOf, open } = await twoMembers()
  expect(await stateOf()).toMatchObject({ isConfirmed: true })
  const site = await stateOf()
  for (const [option, value, before] of [
    ['--api-key', 'another', site?.apiKey],
    ['--callback-url', 'http://127.0.0.1:1/callback/acme', site?.callbackUrl],
    ['--publish', 's3:another-bucket', 'listener'],
    ['--environment', 'dev', 'prod'],
  ] as const) {
    await change('acme', option, value)
    expect((await stateOf())?.isConfirmed, option).toBe(false)
    await change('acme', option, before ?? '')
    expect((await stateOf())?.isConfirmed, option).toBe(true)
  }
  // A new site is confirmed as it is when it is first seen; a later change by another member needs a person.
  const there = ['--base-url', 'http://127.0.0.1:1', '--api-key', 'k', '--callback-url', 'http://127.0.0.1:2']
  await change('later', ...there)
  expect(await stateOf('later')).toMatchObject({ isConfirmed: true })
  await change('later', '--base-url', 'http://127.0.0.1:3')
  expect(await stateOf('later')).toMatchObject({ isConfirmed: false })
  // A variable of the environment may match several sites: this one has a secret at once.
  await change('Acme', ...there)
  expect(await stateOf('Acme')).toMatchObject({ isConfirmed: false, secret: 'stored' })
  expect(await open('Acme')).toMatchObject({ failure: { code: 'site_unconfirmed' } })
})

import { expect, onTestFinished, test } from 'vitest'

import { galley } from '../../cli/support/cli.ts'
import type { Behaviour } from '../../support/s3-server.ts'
import { startS3Server } from '../../support/s3-server.ts'
import { aTeam } from '../../support/team.ts'

// Two members of a team publish one site to one target. The texts of a release are made on the computer that publishes.

/** How the target behaves; `bucket`: how the bucket of the team does. */
async function twoPublishers({ bucket = {}, ...behaviour }: Behaviour & { readonly bucket?: Behaviour } = {}) {
  const web = await startS3Server(behaviour)
  onTestFinished(web.close)
  const team = await aTeam(bucket)
  expect((await team.import()).code).toBe(0)
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  const environment = { ...team.environment, GALLEY_TARGET_ACME_LIVE: 'anyone:anything' }
  const place = ['target', 'add', 'acme', 'live', 's3:team/www', '--endpoint', web.url, '--region', 'us-east-1']
  const member = (library: string) => ({
    run: (...args: string[]) => galley([...args, '--json', '--library', library], environment),
  })
  const [one, other] = [member(team.library), member(folder)]
  for (const { run } of [one, other]) expect((await run(...place)).code).toBe(0)
  const listener = await team.listen()
  const publish = async (html: string): Promise<string> => {
    expect((await listener.deliver(team.save({ materialId: 'post-1', html, files: {} }))).json.rc).toBe(1)
    const { code, json, stderr } = await one.run('publish', 'acme')
    expect(code, stderr).toBe(0)
    return (json() as { release: string }).release
  }
  const page = (): string => web.objects.get('www/post-1/index.html')?.toString() ?? ''
  const texts = (): readonly string[] =>
    [...team.objects.keys()].filter((key) => key.startsWith('library/files/releases/'))
  return { team, one, other, listener, publish, page, texts }
}

test('every member rolls back to a release that another one has published', async () => {
  const { one, other, publish, page } = await twoPublishers()
  const first = await publish('<p>First text</p>')
  await publish('<p>Second text</p>')
  expect(page()).toContain('Second text')
  expect((await other.run('releases', 'acme')).json()).toMatchObject([{ kept: true }, { kept: true }])
  const back = await other.run('publish', 'acme', '--rollback', first)
  expect(back.code, back.stderr).toBe(0)
  expect(page()).toContain('First text')
  expect((await one.run('releases', 'acme')).code).toBe(0)
})

test('a failed publication restores the release of another member', async () => {
  let failures = 0
  const { other, publish, page } = await twoPublishers({
    mishap(method, key) {
      if (failures === 0 || method !== 'PUT' || key !== 'www/index.html') return null
      failures -= 1
      return 'status_403'
    },
  })
  await publish('<p>First text</p>')
  const before = page()
  expect((await other.run('page', 'acme', 'post-1', '--description', 'Other words')).code).toBe(0)
  failures = 1
  const failed = await other.run('publish', 'acme')
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('The previous release was restored.')])
  expect(page()).toBe(before)
})

test('texts that could not be shared are sent with the next release', async () => {
  let isAway = false
  const { other, publish, page } = await twoPublishers({
    bucket: { mishap: (_method, key) => (isAway && key.includes('releases/') ? 'status_403' : null) },
  })
  isAway = true
  const first = await publish('<p>First text</p>')
  expect((await other.run('releases', 'acme')).json()).toMatchObject([{ kept: false }])
  expect((await other.run('publish', 'acme', '--rollback', first)).failure()).toMatchObject({
    code: 'release_not_kept',
  })
  isAway = false
  await publish('<p>Second text</p>')
  expect((await other.run('publish', 'acme', '--rollback', first)).code).toBe(0)
  expect(page()).toContain('First text')
})

test('gc removes only the texts of releases that cannot be published again', async () => {
  const { one, other, publish, texts } = await twoPublishers()
  await publish('<p>First text</p>')
  const ofFirst = texts().length
  await publish('<p>Second text</p>')
  const all = texts().length
  expect([ofFirst > 0, all > ofFirst]).toEqual([true, true])
  expect((await other.run('gc')).json()).toMatchObject({ bucket: { objects: 0 } })
  expect(texts()).toHaveLength(all)
  expect((await one.run('target', 'remove', 'acme', 'live')).code).toBe(0)
  expect((await other.run('gc', '--dry-run')).json()).toMatchObject({ bucket: { objects: all } })
  expect((await other.run('gc')).json()).toMatchObject({ bucket: { objects: all } })
  expect(texts()).toEqual([])
})

test('gc removes no text while the list of a release cannot be read', async () => {
  let isUnreadable = false
  const { other, publish, texts } = await twoPublishers({
    bucket: {
      mishap: (method, key) =>
        isUnreadable && method === 'GET' && key.includes('files/releases/') ? 'status_403' : null,
    },
  })
  await publish('<p>First text</p>')
  const all = texts()
  isUnreadable = true
  expect((await other.run('gc')).json()).toMatchObject({ bucket: { objects: 0 } })
  expect(texts()).toEqual(all)
})

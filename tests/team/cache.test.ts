import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { aTeam } from '../support/team.ts'

/** The files of a library on this disk. */
const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true })).flatMap((each) =>
    each.isFile() ? [join(each.parentPath, each.name)] : [],
  )

it('deletes copies above the limit if the bucket has them, and keeps whole sites offline', async () => {
  const team = await aTeam()
  const before = await team.listen()
  for (const versionId of ['v1', 'v2'])
    expect((await before.deliver(team.save({ materialId: 'post-1', versionId }))).json.rc).toBe(1)
  await before.close()
  expect((await team.run(team.library, 'team', 'cache')).failure().code).toBe('not_a_member')
  expect((await team.import()).code).toBe(0)
  const all = await filesIn(team.library)
  const show = ['show', 'version', 'acme', 'post-1', 'v1', '--html'] as const
  const cache = (...args: string[]) => team.run(team.library, 'team', 'cache', ...args)

  // Recently used files stay, regardless of the limit.
  expect((await cache('--limit-mb', '0')).json()).toMatchObject({ limit_mb: 0, files: all.length, freed: { files: 0 } })
  const longAgo = new Date(Date.now() - 7_200_000)
  for (const file of all) await utimes(file, longAgo, longAgo)
  // If the bucket has lost a file, the local copy is the last one.
  const lost = [...team.objects.keys()].find((key) => key.includes('/files/'))
  const bytes = team.objects.get(lost ?? '') ?? Buffer.alloc(0)
  team.objects.delete(lost ?? '')
  const freed = await cache()
  expect(freed.json(), freed.stderr).toMatchObject({ files: 1, freed: { files: all.length - 1 }, damaged: 1 })
  expect(await filesIn(team.library)).toEqual(all.filter((file) => file.endsWith(lost?.slice(-64) ?? '')))
  team.objects.set(lost ?? '', bytes)

  // A freed file is fetched again when it is read, and a kept site fetches all its files.
  expect((await team.run(team.library, ...show)).code).toBe(0)
  expect((await cache('--keep-offline', 'nobody')).code).toBe(2)
  expect((await cache('--keep-offline', 'acme')).json()).toMatchObject({ keep_offline: ['acme'], files: all.length })
  for (const file of await filesIn(team.library)) await utimes(file, longAgo, longAgo)
  expect((await cache()).json()).toMatchObject({ files: all.length, freed: { files: 0 } })
  expect((await cache('--keep-offline', 'none', '--limit-mb', 'none')).json()).toMatchObject({ files: all.length })
  expect((await team.run(team.library, 'fsck')).code).toBe(0)
})

it.each([['MD5 hashes'], ['other hashes']])(
  'keeps copies of files that are damaged in a bucket whose ETags are %s, until a repair has sent them',
  async (hashes) => {
    const team = await aTeam({ encrypts: hashes === 'other hashes' })
    const before = await team.listen()
    expect((await before.deliver(team.save({ materialId: 'post-1', versionId: 'v1' }))).json.rc).toBe(1)
    await before.close()
    expect((await team.import()).code).toBe(0)
    const all = await filesIn(team.library)
    const longAgo = new Date(Date.now() - 7_200_000)
    const rest = async () => {
      for (const file of all) await utimes(file, longAgo, longAgo)
    }
    await rest()
    const whole = [...team.objects].filter(([key]) => key.includes('/files/'))
    const [cut, ...others] = whole
    // One ends early, and the others have other bytes.
    if (cut) team.objects.set(cut[0], cut[1].subarray(0, 5))
    for (const [key, bytes] of others) team.objects.set(key, Buffer.from(bytes.map((byte) => byte ^ 1)))
    const kept = await team.run(team.library, 'team', 'cache', '--limit-mb', '0')
    expect(kept.json(), kept.stderr).toMatchObject({ files: all.length, freed: { files: 0 }, damaged: all.length })
    expect(await filesIn(team.library)).toEqual(all)

    const checked = await team.run(team.library, 'fsck')
    expect([checked.code, checked.json()]).toMatchObject([1, { findings: all.map(() => ({ kind: 'file_changed' })) }])
    expect((await team.run(team.library, 'fsck', '--repair')).code).toBe(0)
    expect([...team.objects].filter(([key]) => key.includes('/files/'))).toEqual(whole)
    // To compare them was to use them.
    await rest()
    expect((await team.run(team.library, 'team', 'cache')).json()).toMatchObject({
      files: 0,
      freed: { files: all.length },
      damaged: 0,
    })
  },
)

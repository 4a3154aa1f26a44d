import { expect, it } from 'vitest'

import { hasCeph, sharedCeph } from '../support/ceph.ts'
import { aTeam } from '../support/team.ts'

it.skipIf(!hasCeph)('works on a real storage, and names what is wrong with keys and buckets', async () => {
  const ceph = await sharedCeph()
  const reach = { url: ceph.url, keys: ceph.owner, bucket: await ceph.aBucket('read_only') }

  const withVersions = await ceph.aBucket('private')
  await ceph.keepVersions(withVersions)
  const versioned = await aTeam({ ...reach, bucket: withVersions })
  expect((await versioned.import()).failure().code).toBe('bucket_unsuitable')
  const missing = await aTeam({ ...reach, bucket: 'nowhere' })
  expect((await missing.import()).failure()).toMatchObject({
    code: 'storage_failed',
    message: expect.stringContaining('there is no bucket nowhere') as string,
  })
  const wrong = await aTeam({ ...reach, keys: { id: ceph.owner.id, secret: 'WRONG' } })
  expect((await wrong.import()).failure()).toMatchObject({
    code: 'storage_failed',
    message: expect.stringContaining('the secret access key is wrong') as string,
  })

  const team = await aTeam(reach)
  const before = await team.listen()
  expect((await before.deliver(team.save({ materialId: 'post-1', versionId: 'v1' }))).json.rc).toBe(1)
  await before.close()
  const imported = await team.import()
  expect(imported.code, imported.stderr).toBe(0)
  const folder = await team.newFolder()
  const joined = await team.join(folder)
  expect(joined.code, joined.stderr).toBe(0)

  // Two listeners, with saves through both at the same time.
  const members = [await team.listen(), await team.listen(folder)]
  const saves = Array.from({ length: 20 }, (_, nth) =>
    team.save({ materialId: `post-${nth % 5}`, versionId: `s${nth}` }),
  )
  const answers = await Promise.all(saves.map(async (save, nth) => members[nth % 2]?.deliver(save)))
  expect(answers.map((answer) => answer?.json.rc)).toEqual(saves.map(() => 1))
  for (const { galley } of members) await galley.team?.sync()
  const rows = members.map(({ galley }) => galley.index.counts())
  expect(rows).toEqual([
    { materials: 5, versions: 21 },
    { materials: 5, versions: 21 },
  ])
  for (const { close } of members) await close()

  // With read-only keys, everything can be read and nothing stored.
  const reading = await team.newFolder()
  const reader = await team.runAs(ceph.reader, reading, 'team', 'join', ...team.at)
  expect(reader.json(), reader.stderr).toMatchObject({ read_only: true, behind: 0, probe: { rounds: 0, winners: 0 } })
  const shown = await team.runAs(ceph.reader, reading, 'show', 'version', 'acme', 'post-1', 'v1', '--html')
  expect(shown.code, shown.stderr).toBe(0)
  const written = await team.runAs(ceph.reader, reading, 'material', 'archive', 'acme', 'post-1')
  expect(written.failure().code).toBe('storage_failed')
  expect((await team.run(team.library, 'fsck')).code).toBe(0)
})

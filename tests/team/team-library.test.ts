import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { send } from '../support/delivery.ts'
import { aTeam } from '../support/team.ts'

const filesIn = async (folder: string): Promise<number> =>
  (await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
    .length

it('uploads a library to a bucket; a new machine joins, reads it, saves to it, and leaves with a full copy', async () => {
  const team = await aTeam()
  const before = await team.listen()
  expect((await before.deliver(team.save({ materialId: 'post-1', versionId: 'v1' }))).json.rc).toBe(1)
  await before.close()

  const imported = await team.import()
  expect(imported.code, imported.stderr).toBe(0)
  expect(imported.json()).toMatchObject({
    bucket: 's3://team/library',
    behind: 0,
    waiting: 0,
    read_only: false,
    probe: { rounds: 2, winners: 2 },
  })

  const folder = await team.newFolder()
  const joined = await team.join(folder)
  expect(joined.code, joined.stderr).toBe(0)
  expect(joined.json()).toMatchObject({ behind: 0, position: (imported.json() as { position: number }).position })
  expect((await team.run(folder, 'materials', 'acme')).json()).toMatchObject([{ material_id: 'post-1', versions: 1 }])
  // Files are fetched when they are read.
  expect(await filesIn(folder)).toBe(0)
  expect((await team.run(folder, 'show', 'version', 'acme', 'post-1', 'v1', '--html')).json()).toHaveProperty('html')
  expect(await filesIn(folder)).toBeGreaterThan(0)

  // The first member sees a save through the new one, with its media.
  const second = await team.listen(folder)
  const sent = team.save({ materialId: 'post-1', versionId: 'v2' })
  const answered = await second.deliver(sent)
  expect(answered.json).toMatchObject({ rc: 1 })
  const first = await team.listen()
  const [version] = second.galley.index.versions.list('acme', 'post-1')
  const picture = new URL(version?.publicUrls['hero.png'] ?? '').pathname
  expect((await send(`${first.url}${picture}`, 'GET', null)).text).toBe('picture v2')
  // The same delivery to another member gets the same answer and stores nothing twice.
  const downloads = team.service.downloads.length
  const again = await first.deliver(sent)
  expect(again.text).toBe(answered.text)
  expect(team.service.downloads).toHaveLength(downloads)
  expect(first.galley.index.versions.list('acme', 'post-1')).toHaveLength(2)
  await first.close()
  await second.close()

  // A backup of either is a library of its own: that of the second computer begins behind a checkpoint.
  for (const member of [team.library, folder]) {
    expect((await team.run(member, 'backup', `${member}-backup`)).json()).toMatchObject({ missing: [], versions: 2 })
    const restored = await team.run(`${member}-restored`, 'restore', `${member}-backup`)
    expect(restored.code, restored.stderr).toBe(0)
    expect((await team.run(`${member}-restored`, 'fsck')).json()).toMatchObject({ ok: true })
    expect((await team.run(`${member}-restored`, 'team', 'status')).failure().code).toBe('not_a_member')
  }

  const left = await team.run(folder, 'team', 'leave', '--fetch-all')
  expect(left.code, left.stderr).toBe(0)
  expect(left.json()).toMatchObject({ files_missing: 0 })
  const alone = await team.listen(folder)
  expect((await alone.deliver(team.save({ materialId: 'post-1', versionId: 'v3' }))).json.rc).toBe(1)
  await alone.close()
  // It has everything itself: without the bucket, each byte is checked and the index is built again.
  const objects = [...team.objects]
  team.objects.clear()
  expect((await team.run(folder, 'fsck')).json()).toMatchObject({ ok: true, findings: [] })
  expect((await team.run(folder, 'rebuild')).json()).toMatchObject({ versions: 3, lost: [] })
  for (const versionId of ['v1', 'v2', 'v3'])
    for (const part of ['--html', '--state', '--media'])
      expect((await team.run(folder, 'show', 'version', 'acme', 'post-1', versionId, part)).code).toBe(0)
  expect((await team.run(folder, 'fsck')).code).toBe(0)
  for (const [key, bytes] of objects) team.objects.set(key, bytes)
  expect((await team.run(team.library, 'versions', 'acme', 'post-1')).json()).toHaveLength(2)
})

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { aTeam } from '../../../support/team.ts'
import { send } from '../../../support/delivery.ts'

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

  const left = await team.run(folder, 'team', 'leave', '--fetch-all')
  expect(left.code, left.stderr).toBe(0)
  expect(left.json()).toMatchObject({ files_missing: 0 })
  const alone = await team.listen(folder)
  expect((await alone.deliver(team.save({ materialId: 'post-1', versionId: 'v3' }))).json.rc).toBe(1)
  await alone.close()
  expect((await team.run(folder, 'fsck')).code).toBe(0)
  expect((await team.run(team.library, 'versions', 'acme', 'post-1')).json()).toHaveLength(2)
})

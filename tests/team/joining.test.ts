import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'

import { readMembership } from '../../packages/team/bucket/membership.ts'
import { stream } from '../cli/support/cli.ts'
import { aTeam } from '../support/team.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('a join that is killed at any request leaves nothing, or a member that goes on', async () => {
  const stop: { part: string; reached: () => void } = { part: '', reached: () => undefined }
  const forever = new Promise<void>(() => undefined)
  const team = await aTeam({
    hold(method, key) {
      if (stop.part === '' || method !== 'GET' || !key.includes(stop.part)) return Promise.resolve()
      stop.reached()
      return forever
    },
  })
  expect((await team.import()).code).toBe(0)
  for (const name of ['One', 'Two', 'Three'])
    expect((await team.run(team.library, 'site', 'add', 'acme', '--name', name)).code).toBe(0)

  const ends: string[] = []
  for (const part of ['probe/', 'library.json', 'checkpoints/', 'log/']) {
    const folder = await team.newFolder()
    const reached = Promise.withResolvers<void>()
    Object.assign(stop, { part, reached: reached.resolve })
    const joining = stream(['team', 'join', ...team.at, '--json', '--library', folder], team.environment)
    await reached.promise
    joining.child.kill('SIGKILL')
    await joining.ended
    stop.part = ''
    const membership = readMembership(folder)
    ends.push(membership?.state ?? 'none')
    // Whoever runs it again need not know how far it had come.
    if (part !== 'log/') expect((await team.join(folder)).json()).toMatchObject({ behind: 0 })
    expect((await team.run(folder, 'team', 'status')).json()).toMatchObject({ behind: 0, offline: null })
    expect(readMembership(folder)).not.toHaveProperty('isCatchingUp')
    expect((await team.join(folder)).failure().code).toBe('already_member')
  }
  expect(ends).toEqual(['none', 'none', 'joining', 'member'])
})

it('a member is backed up and restored before anything is written after it has joined', async () => {
  const team = await aTeam()
  const listener = await team.listen()
  expect((await listener.deliver(team.save({ materialId: 'post-1', versionId: 'v1' }))).json.rc).toBe(1)
  await listener.close()
  expect((await team.import()).code).toBe(0)
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  const copy = join(await temporaryFolder(), 'copy.galley')
  const backup = await team.run(folder, 'backup', copy)
  expect(backup.code, backup.stdout).toBe(0)
  const restored = join(await temporaryFolder(), 'restored')
  const done = await team.run(restored, 'restore', copy)
  expect(done.code, done.stdout).toBe(0)
  expect((await team.run(restored, 'versions', 'acme', 'post-1')).json()).toMatchObject([{ version_id: 'v1' }])
  expect((await team.run(restored, 'rebuild')).json()).toMatchObject({ versions: 1, lost: [] })
  expect((await team.run(restored, 'fsck')).json()).toMatchObject({ ok: true })
})

it('a checkpoint with values that the log would not take is passed over for the log', async () => {
  const team = await aTeam()
  const listener = await team.listen()
  expect((await listener.deliver(team.save({ materialId: 'post-1', versionId: 'v1' }))).json.rc).toBe(1)
  await listener.close()
  expect((await team.import()).code).toBe(0)
  const key = [...team.objects.keys()].find((each) => each.includes('/checkpoints/')) ?? ''
  const file = join(await temporaryFolder(), 'checkpoint.db')
  await writeFile(file, gunzipSync(team.objects.get(key) ?? Buffer.alloc(0)))
  const db = new BetterSqlite3(file)
  db.exec(`UPDATE material SET last_access = 'nonsense', title = printf('%.*c', 20000, 'x')`)
  db.pragma('journal_mode = DELETE')
  db.close()
  team.objects.set(key, gzipSync(await readFile(file)))

  const folder = await team.newFolder()
  expect((await team.join(folder)).json()).toMatchObject({ behind: 0 })
  const [material] = (await team.run(folder, 'materials', 'acme')).json() as [{ title: string }]
  expect(material.title.length).toBeLessThan(1000)
  // The check names it, and a repair replaces it.
  const named = [{ kind: 'log_damaged', fixable: true }]
  expect((await team.run(folder, 'fsck')).json()).toMatchObject({ ok: false, findings: named })
  await team.run(folder, 'fsck', '--repair')
  expect((await team.run(folder, 'fsck')).json()).toMatchObject({ ok: true })
})

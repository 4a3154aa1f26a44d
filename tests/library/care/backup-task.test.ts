import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { backupFileName } from '../../../packages/library/care/automatic-backups.ts'
import { backUpWhenDue, keepBackups, startBackupTask } from '../../../packages/library/care/backup-task.ts'
import { copyWhileOpen } from '../../support/copy-while-open.ts'
import { openGalley } from '../../support/open-galley.ts'
import type { TestGalley } from '../../support/test-galley.ts'
import { aSave, createTestGalley, temporaryFolder } from '../../support/test-galley.ts'

async function saveOne({ know, post, service }: TestGalley): Promise<void> {
  await know('post-1')
  const { body, headers } = aSave(service)
  expect((await post(body, headers)).json.rc).toBe(1)
}

test('a backup is made as soon as the settings ask for one', async () => {
  const fixture = await createTestGalley()
  const { galley } = fixture
  await saveOne(fixture)
  const folder = await temporaryFolder()
  galley.settings.change({ backups: { folder, everyDays: null } })
  const stop = keepBackups(galley)
  expect(galley.tasks.list()).toEqual([])
  galley.settings.change({ backups: { folder, everyDays: 1 } })
  const [task] = galley.tasks.list()
  await galley.tasks.ended(task!.id)
  expect(await readdir(folder)).toHaveLength(1)
  galley.settings.change({ theme: 'dark' })
  expect(galley.tasks.list()).toHaveLength(1)
  stop()
})

test('a backup is made when it is due by the settings, and not earlier', async () => {
  let now = new Date('2026-11-21T10:00:00Z')
  const fixture = await createTestGalley({ edges: { now: () => now } })
  const { galley } = fixture
  // A library without saves has nothing to back up.
  expect(backUpWhenDue(galley)).toBe(null)
  await saveOne(fixture)
  const folder = await temporaryFolder()
  galley.settings.change({ backups: { folder, everyDays: 2 } })
  const first = backUpWhenDue(galley)
  expect(backUpWhenDue(galley)).toBe(null)
  await galley.tasks.ended(first!)
  expect(await readdir(folder)).toEqual([
    expect.stringMatching(/^galley-automatic-[0-9a-f]{8}-2026-11-21-10-00-00\.galley-backup$/),
  ])
  expect(galley.care.lastBackup()).toMatchObject({ at: now.toISOString() })
  now = new Date('2026-11-23T09:59:00Z')
  expect(backUpWhenDue(galley)).toBe(null)
  now = new Date('2026-11-23T10:00:00Z')
  const second = backUpWhenDue(galley)
  await galley.tasks.ended(second!)
  expect(await readdir(folder)).toHaveLength(2)

  // Two weeks of daily backups and a manual one: new ones replace old ones, and the manual one stays.
  galley.settings.change({ backups: { folder, everyDays: 1 } })
  const byHand = startBackupTask(galley, join(folder, backupFileName(now)))
  await galley.tasks.ended(byHand)
  for (let day = 24; day < 24 + 14; day += 1) {
    now = new Date(Date.UTC(2026, 10, day, 10))
    await galley.tasks.ended(backUpWhenDue(galley)!)
  }
  const left = await readdir(folder)
  expect(left).toContain('galley-2026-11-23-10-00-00.galley-backup')
  expect(left.filter((name) => name.includes('automatic')).map((name) => name.slice(26, 36))).toEqual([
    '2026-11-21',
    '2026-11-29',
    '2026-12-01',
    '2026-12-02',
    '2026-12-03',
    '2026-12-04',
    '2026-12-05',
    '2026-12-06',
    '2026-12-07',
  ])
})

test('a clock that was ahead once stops no backups, and makes no new ones count as old', async () => {
  let now = new Date('2026-11-23T10:00:00Z')
  const fixture = await createTestGalley({ edges: { now: () => now } })
  const { galley } = fixture
  await saveOne(fixture)
  const folder = await temporaryFolder()
  galley.settings.change({ backups: { folder, everyDays: 1 } })
  const backUpAt = async (moment: string): Promise<void> => {
    now = new Date(moment)
    await galley.tasks.ended(backUpWhenDue(galley)!)
  }
  for (let day = 10; day < 40; day += 1) await backUpAt(`20${day}-01-01T10:00:00Z`)
  const ahead = await readdir(folder)
  await backUpAt('2026-11-23T11:00:00Z')
  expect(backUpWhenDue(galley)).toBe(null)
  const today = /-2026-11-23-11-00-00\./
  expect((await readdir(folder)).filter((name) => today.test(name) || ahead.includes(name))).toHaveLength(
    ahead.length + 1,
  )
})

test('a copy of the library folder deletes none of the backups of the original, nor the original those of the copy', async () => {
  let now = new Date('2026-11-17T10:00:00Z')
  const edges = { now: () => now }
  const fixture = await createTestGalley({ edges })
  await saveOne(fixture)
  const folder = await temporaryFolder()
  fixture.galley.settings.change({ backups: { folder, everyDays: 1 } })
  const backUp = async (galley: TestGalley['galley']): Promise<void> => {
    now = new Date(now.getTime() + 86_400_000)
    await galley.tasks.ended(backUpWhenDue(galley)!)
  }
  await backUp(fixture.galley)
  const copied = join(await temporaryFolder(), 'copy')
  await copyWhileOpen(fixture.folder, copied)
  const copy = await openGalley({ folder: copied, ...edges })
  for (let day = 0; day < 10; day += 1) await backUp(copy)
  const before = await readdir(folder)
  expect(before.toSorted()[0]).toContain('2026-11-18')
  await copy.close()
  for (let day = 0; day < 10; day += 1) await backUp(fixture.galley)
  expect(await readdir(folder)).toEqual(expect.arrayContaining(before.toSorted().slice(1)))
})

test('only the process that runs the listener of a library makes its automatic backups', async () => {
  const fixture = await createTestGalley()
  await saveOne(fixture)
  const { galley: beside } = await createTestGalley({ listen: false, edges: { folder: fixture.folder } })
  beside.settings.change({ backups: { folder: await temporaryFolder(), everyDays: 1 } })
  expect(backUpWhenDue(beside)).toBe(null)
  await fixture.galley.tasks.ended(backUpWhenDue(fixture.galley)!)
  expect(fixture.galley.tasks.list()).toMatchObject([{ end: { kind: 'done' } }])
})

test('a backup folder that cannot be created is reported as a disk error', async () => {
  const fixture = await createTestGalley()
  await saveOne(fixture)
  const inTheWay = join(await temporaryFolder(), 'a-file')
  await writeFile(inTheWay, '')
  fixture.galley.settings.change({ backups: { folder: join(inTheWay, 'backups'), everyDays: 1 } })
  await fixture.galley.tasks.ended(backUpWhenDue(fixture.galley)!)
  expect(fixture.galley.tasks.list()).toMatchObject([{ end: { kind: 'failed', problem: { code: 'file_failed' } } }])
})

import { join } from 'node:path'
import { expect, it } from 'vitest'

import { createCare } from '../../../packages/library/care/care.ts'
import { rebuildLibrary } from '../../../packages/library/care/rebuild.ts'
import { currentOwner } from '../../../packages/library/db/owner.ts'
import { createTestGalley, temporaryFolder } from '../../support/test-galley.ts'
import { aCaredLibrary, aRun, reportOf } from './library.ts'

it('the last check and the last backup are known in every process that opens the library', async () => {
  const library = await aCaredLibrary()
  await library.save()
  expect([library.care.lastCheck(), library.care.lastBackup()]).toEqual([null, null])
  await reportOf(library.care.check({ repair: false }, aRun()))
  const file = join(await temporaryFolder(), 'a.galley-backup')
  await reportOf(library.care.backUp({ file }, aRun()))
  const { galley: other } = await createTestGalley({ listen: false, edges: { folder: library.folder } })
  expect(other.care.lastCheck()).toMatchObject({ ok: true, isRepair: false, problems: 0 })
  expect(other.care.lastBackup()).toMatchObject({ file, versions: 1 })
})

it('a process owns the library while it rebuilds the index', async () => {
  const library = await aCaredLibrary()
  await library.save()
  const { folder } = library
  await expect(rebuildLibrary(folder, { from: 'log', now: () => new Date() })).rejects.toThrow(
    `process ${process.pid} receives saves`,
  )
  await library.close()
  const owners: unknown[] = []
  const now = () => (owners.push(currentOwner(folder)), new Date())
  expect(await rebuildLibrary(folder, { from: 'log', now })).toMatchObject({ versions: 1 })
  expect(owners).toContainEqual({ processId: process.pid, url: null })
  expect(owners).not.toContain(null)
  expect(currentOwner(folder)).toBe(null)
})

it('a read-only library can be checked', async () => {
  const library = await aCaredLibrary()
  const put = () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  }
  const lines: string[] = []
  const index = { ...library.index, settings: { ...library.index.settings, put } }
  const care = createCare({
    ...library,
    index,
    bucket: null,
    isServedElsewhere: () => false,
    log: (line: string) => void lines.push(line),
  } as never)
  expect(await reportOf(care.check({ repair: false }, aRun()))).toMatchObject({ ok: true })
  expect(lines).toEqual(['last-check could not be recorded: the disk is full'])
})

import { randomBytes } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'

import { isDiskFault, storageReason } from '../../../../src/main/platform/disk/storage-reason.ts'
import { aSave, createTestGalley, zipOf } from '../../../support/test-galley.ts'
import { canMount, mountSmallDisk } from '../../library/log/small-disk.ts'

const coded = (code: string) => Object.assign(new Error(`${code}: /home/somebody/secret`), { code })

describe('the messages for faults of disk and index', () => {
  it.each([
    ['ENOSPC', 'the disk is full'],
    ['SQLITE_FULL', 'the disk is full'],
    ['EROFS', 'the disk is read-only'],
    ['SQLITE_READONLY', 'the library is read-only'],
    ['SQLITE_READONLY_DBMOVED', 'the library is read-only'],
    ['SQLITE_IOERR_WRITE', 'the disk reported an error'],
    ['SQLITE_CORRUPT_INDEX', 'the library index is damaged'],
    ['SQLITE_BUSY_SNAPSHOT', 'another program is using the library index'],
    ['EWHATEVER', 'an unexpected error'],
  ])('%s: %s', (code, words) => expect(storageReason(coded(code))).toBe(words))

  it('never quote an error', () => {
    for (const thrown of [
      coded('EWHATEVER'),
      new Error('/home/somebody'),
      '/home/somebody',
      null,
      undefined,
      { code: 'ENOSPC' },
    ]) {
      expect(storageReason(thrown)).toBe('an unexpected error')
    }
  })

  it('tell faults that may have lost earlier writes from others', () => {
    expect(['EIO', 'SQLITE_IOERR_FSYNC', 'SQLITE_CORRUPT'].map((code) => isDiskFault(coded(code)))).toEqual([
      true,
      true,
      true,
    ])
    expect(['ENOSPC', 'SQLITE_FULL', 'SQLITE_BUSY', 'EACCES'].map((code) => isDiskFault(coded(code)))).toEqual([
      false,
      false,
      false,
      false,
    ])
    expect([isDiskFault('EIO'), isDiskFault(null)]).toEqual([false, false])
  })
})

describe.skipIf(!canMount())('a full disk', () => {
  function aSmallDisk() {
    const disk = mountSmallDisk(6)
    if (!disk) throw new Error('The disk could not be mounted')
    onTestFinished(disk.unmount)
    return disk
  }

  async function libraryOnSmallDisk() {
    const disk = aSmallDisk()
    const house = await createTestGalley({ edges: { folder: join(disk.folder, 'library') } })
    await house.know('post-1')
    const save = aSave(house.service, { versionId: 'stored' })
    expect((await house.post(save.body, save.headers)).json.rc).toBe(1)
    return { ...house, disk, before: await house.filesOf() }
  }

  type House = Awaited<ReturnType<typeof libraryOnSmallDisk>>

  async function expectNothingKept(house: House, answer: Awaited<ReturnType<House['post']>>) {
    expect([answer.status, answer.json.rc, answer.json.code], answer.text).toEqual([500, 0, 'storage_failed'])
    expect(answer.json.rm).toContain('the disk is full')
    expect(answer.text).not.toContain(house.disk.folder)
    expect(await house.filesOf()).toEqual(house.before)
    expect(await readdir(join(house.folder, 'staging'))).toEqual([])
    expect(house.galley.index.versions.list('acme', 'post-1').map(({ versionId }) => versionId)).toEqual(['stored'])
  }

  it('during the download: nothing is kept, and the same delivery is stored when there is space', async () => {
    const house = await libraryOnSmallDisk()
    const filler = join(house.disk.folder, 'filler')
    await writeFile(filler, Buffer.alloc(4 * 1024 * 1024))
    const save = aSave(house.service, {
      versionId: 'late',
      versionCdate: '2026-11-05T00:00:00Z',
      files: { 'a.bin': randomBytes(1_500_000) },
    })
    await expectNothingKept(house, await house.post(save.body, save.headers))
    expect(house.galley.index.callbacks.list({ site: null, outcome: 'failed', limit: 5 })).toMatchObject([
      { code: 'storage_failed', httpStatus: 500 },
    ])
    await rm(filler)
    expect((await house.post(save.body, save.headers)).json.rc).toBe(1)
    expect(house.galley.index.materials.find('acme', 'post-1')?.currentVersionId).toBe('late')
  })

  it('while unpacking: nothing is kept', async () => {
    const house = await libraryOnSmallDisk()
    // Twelve kilobytes to download, twelve megabytes to store.
    const archive = zipOf({
      'vms_html.html': '<p>',
      'vms_json.json': '{}',
      'vms_media/zeros.bin': Buffer.alloc(12 * 1024 * 1024),
    })
    const save = aSave(house.service, { archive })
    await expectNothingKept(house, await house.post(save.body, save.headers))
  })

  it('to the last byte: the save fails, the listener continues, and the save is stored when there is space', async () => {
    const house = await libraryOnSmallDisk()
    house.disk.fill(0)
    const save = aSave(house.service, { versionId: 'late', versionCdate: '2026-11-05T00:00:00Z' })
    await expectNothingKept(house, await house.post(save.body, save.headers))
    const unsigned = await house.post(save.body)
    expect([unsigned.status, unsigned.json.code]).toEqual([400, 'invalid_signature'])
    await rm(join(house.disk.folder, 'ballast'))
    expect((await house.post(save.body, save.headers)).json.rc).toBe(1)
  })

  it('at the publishing target: nothing is kept', async () => {
    const web = join(aSmallDisk().folder, 'web')
    const house = await createTestGalley()
    house.changeSite({ publish: { kind: 'folder', directory: web } })
    await house.know('post-1')
    const save = aSave(house.service, { files: { 'a.bin': Buffer.alloc(12 * 1024 * 1024) } })
    const answer = await house.post(save.body, save.headers)
    expect([answer.status, answer.json.code]).toEqual([500, 'storage_failed'])
    expect(answer.json.rm).toContain('the disk is full')
    expect([
      await house.filesOf(),
      await readdir(join(house.folder, 'staging')),
      house.galley.index.versions.list('acme', 'post-1'),
    ]).toEqual([[], [], []])
    const media = await readdir(web, { recursive: true, withFileTypes: true })
    expect(media.filter((entry) => entry.isFile())).toEqual([])
  })
})

describe('an index that cannot be written', () => {
  it.each(['index.db', 'log.db'])(
    'is a storage_failed while another program holds %s, and nothing is kept',
    async (held) => {
      const house = await createTestGalley()
      await house.know('post-1')
      const save = aSave(house.service)
      const other = new BetterSqlite3(join(house.folder, held))
      onTestFinished(() => void other.close())
      // Locked from the middle of the save on, so that only its last transaction fails.
      house.service.onDownload(() => (other.exec('BEGIN IMMEDIATE'), false))
      const answer = await house.post(save.body, save.headers)
      expect([answer.status, answer.json.code]).toEqual([500, 'storage_failed'])
      expect(answer.json.rm).toContain('another program is using the library index')
      expect([await house.filesOf(), house.galley.index.versions.list('acme', 'post-1')]).toEqual([[], []])
      other.exec('COMMIT')
      house.service.onDownload(null)
      expect((await house.post(save.body, save.headers)).json.rc).toBe(1)
    },
    30_000,
  )
})

it('a save is answered as stored although staging cannot be cleaned up', async () => {
  const house = await createTestGalley()
  await house.know('post-1')
  const refused = Object.assign(new Error('not now'), { code: 'EACCES', syscall: 'rm' })
  Object.assign(house.galley.vault, { discardFiles: () => Promise.reject(refused) })
  // Its archive is left over: a cleaned copy is kept.
  const save = aSave(house.service, { versionId: 'kept', metadata: { webhook_auth_password: 'p' } })
  expect((await house.post(save.body, save.headers)).json).toMatchObject({ rc: 1 })
  expect(await readdir(join(house.folder, 'staging'))).toHaveLength(1)
  expect(house.galley.index.callbacks.list({ site: null, outcome: null, limit: 5 })).toMatchObject([
    { outcome: 'stored', versionId: 'kept' },
  ])
})

it('a disk error is reported until the library is reopened, and every save until then is logged', async () => {
  const house = await createTestGalley()
  await house.know('post-1')
  const { galley, post, service } = house
  const { stageFiles } = galley.vault
  const fault = Object.assign(new Error('i/o error'), { code: 'EIO', syscall: 'fsync' })
  Object.assign(galley.vault, { stageFiles: () => Promise.reject(fault) })
  const first = aSave(service)
  expect((await post(first.body, first.headers)).json.rm).toContain('the disk reported an error')
  expect(galley.listener.state()).toMatchObject({ kind: 'listening', isDiskBroken: true })
  Object.assign(galley.vault, { stageFiles })
  const second = aSave(service)
  expect((await post(second.body, second.headers)).json.rm).toContain('fix the disk, then restart Galley')
  expect(galley.index.callbacks.list({ site: null, outcome: 'failed', limit: 5 })).toHaveLength(2)
  await galley.listener.stop()
  expect(await galley.listener.start('127.0.0.1', 0)).toMatchObject({ isDiskBroken: true })
})

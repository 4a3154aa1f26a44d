import { randomBytes } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'

import { LogSyncError } from '../../../packages/library/log/append.ts'
import { isOfDisk, storageCause, storageReason } from '../../../packages/platform/disk/storage-reason.ts'
import { aSave, createTestGalley, temporaryFolder, zipOf } from '../../support/test-galley.ts'
import { canMount, mountSmallDisk } from '../log/small-disk.ts'

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

  it.each([
    ['Unknown system error -122', -122, 'the disk quota is used up'],
    ['UNKNOWN', -122, 'the disk quota is used up'],
    ['', -122, 'the disk quota is used up'],
    ['Unknown system error -116', -116, 'a file cannot be used (ESTALE)'],
    ['UNKNOWN', -4094, 'a file cannot be used; the system does not say why'],
    ['', undefined, 'a file cannot be used; the system does not say why'],
  ])('%j with the number %j: %s', (code, errno, words) => {
    expect(storageReason(Object.assign(coded(code), { errno, syscall: 'write' }))).toBe(words)
  })

  it('tell faults of the disk, which a probe has to clear, from others', () => {
    const all = (codes: readonly string[]) => codes.map((code) => isOfDisk(storageCause(coded(code))))
    expect(all(['ENOSPC', 'SQLITE_FULL', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'EIO'])).toEqual(
      Array.from({ length: 9 }, () => true),
    )
    expect(all(['SQLITE_BUSY', 'SQLITE_CORRUPT', 'bucket_away', 'ENAMETOOLONG', 'EWHATEVER'])).toEqual(
      Array.from({ length: 5 }, () => false),
    )
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
    const fixture = await createTestGalley({ edges: { folder: join(disk.folder, 'library') } })
    await fixture.know('post-1')
    const save = aSave(fixture.service, { versionId: 'stored' })
    expect((await fixture.post(save.body, save.headers)).json.rc).toBe(1)
    return { ...fixture, disk, before: await fixture.filesOf() }
  }

  type Fixture = Awaited<ReturnType<typeof libraryOnSmallDisk>>

  async function expectNothingKept(fixture: Fixture, answer: Awaited<ReturnType<Fixture['post']>>) {
    expect([answer.status, answer.json.rc, answer.json.code], answer.text).toEqual([500, 0, 'storage_failed'])
    expect(answer.json.rm).toContain('the disk is full')
    expect(answer.text).not.toContain(fixture.disk.folder)
    expect(await fixture.filesOf()).toEqual(fixture.before)
    expect(await readdir(join(fixture.folder, 'staging'))).toEqual([])
    expect(fixture.galley.index.versions.list('acme', 'post-1').map(({ versionId }) => versionId)).toEqual(['stored'])
  }

  it('during the download: nothing is kept, and the same delivery is stored when there is space', async () => {
    const fixture = await libraryOnSmallDisk()
    const filler = join(fixture.disk.folder, 'filler')
    await writeFile(filler, Buffer.alloc(4 * 1024 * 1024))
    const save = aSave(fixture.service, {
      versionId: 'late',
      versionCdate: '2026-11-05T00:00:00Z',
      files: { 'a.bin': randomBytes(1_500_000) },
    })
    await expectNothingKept(fixture, await fixture.post(save.body, save.headers))
    expect(fixture.galley.index.callbacks.list({ site: null, outcome: 'failed', limit: 5 })).toMatchObject([
      { code: 'storage_failed', httpStatus: 500 },
    ])
    await rm(filler)
    expect((await fixture.post(save.body, save.headers)).json.rc).toBe(1)
    expect(fixture.galley.index.materials.find('acme', 'post-1')?.currentVersionId).toBe('late')
  })

  it('while unpacking: nothing is kept', async () => {
    const fixture = await libraryOnSmallDisk()
    // Twelve kilobytes to download, twelve megabytes to store.
    const archive = zipOf({
      'vms_html.html': '<p>',
      'vms_json.json': '{}',
      'vms_media/zeros.bin': Buffer.alloc(12 * 1024 * 1024),
    })
    const save = aSave(fixture.service, { archive })
    await expectNothingKept(fixture, await fixture.post(save.body, save.headers))
  })

  it('to the last byte: the save fails, the listener continues, and the save is stored when there is space', async () => {
    const fixture = await libraryOnSmallDisk()
    fixture.disk.fill(0)
    const save = aSave(fixture.service, { versionId: 'late', versionCdate: '2026-11-05T00:00:00Z' })
    await expectNothingKept(fixture, await fixture.post(save.body, save.headers))
    const unsigned = await fixture.post(save.body)
    expect([unsigned.status, unsigned.json.code]).toEqual([400, 'invalid_signature'])
    await rm(join(fixture.disk.folder, 'ballast'))
    expect((await fixture.post(save.body, save.headers)).json.rc).toBe(1)
  })

  it('at the publishing target: nothing is kept', async () => {
    const web = join(aSmallDisk().folder, 'web')
    const fixture = await createTestGalley()
    fixture.changeSite({ publish: { kind: 'folder', directory: web } })
    await fixture.know('post-1')
    const save = aSave(fixture.service, { files: { 'a.bin': Buffer.alloc(12 * 1024 * 1024) } })
    const answer = await fixture.post(save.body, save.headers)
    expect([answer.status, answer.json.code]).toEqual([500, 'storage_failed'])
    expect(answer.json.rm).toContain('the disk is full')
    expect([
      await fixture.filesOf(),
      await readdir(join(fixture.folder, 'staging')),
      fixture.galley.index.versions.list('acme', 'post-1'),
    ]).toEqual([[], [], []])
    const media = await readdir(web, { recursive: true, withFileTypes: true })
    // The file that names the library is written first.
    expect(media.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual(['galley-library.json'])
  })
})

describe('an index that cannot be written', () => {
  it.each(['index.db', 'log.db'])(
    'is a storage_failed while another program holds %s, and nothing is kept',
    async (held) => {
      const fixture = await createTestGalley()
      await fixture.know('post-1')
      const save = aSave(fixture.service)
      const other = new BetterSqlite3(join(fixture.folder, held))
      onTestFinished(() => void other.close())
      // Locked from the middle of the save on, so that only its last transaction fails.
      fixture.service.onDownload(() => (other.exec('BEGIN IMMEDIATE'), false))
      const answer = await fixture.post(save.body, save.headers)
      expect([answer.status, answer.json.code]).toEqual([500, 'storage_failed'])
      expect(answer.json.rm).toContain('another program is using the library index')
      expect([await fixture.filesOf(), fixture.galley.index.versions.list('acme', 'post-1')]).toEqual([[], []])
      other.exec('COMMIT')
      fixture.service.onDownload(null)
      expect((await fixture.post(save.body, save.headers)).json.rc).toBe(1)
    },
  )
})

it('a save is answered as stored although staging cannot be cleaned up', async () => {
  const fixture = await createTestGalley()
  await fixture.know('post-1')
  const refused = Object.assign(new Error('not now'), { code: 'EACCES', syscall: 'rm' })
  Object.assign(fixture.galley.vault, { discardFiles: () => Promise.reject(refused) })
  // Its archive is left over: a cleaned copy is kept.
  const save = aSave(fixture.service, { versionId: 'kept', metadata: { webhook_auth_password: 'p' } })
  expect((await fixture.post(save.body, save.headers)).json).toMatchObject({ rc: 1 })
  expect(await readdir(join(fixture.folder, 'staging'))).toHaveLength(1)
  expect(fixture.galley.index.callbacks.list({ site: null, outcome: null, limit: 5 })).toMatchObject([
    { outcome: 'stored', versionId: 'kept' },
  ])
})

it.each(['EIO', 'ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE'])(
  'after %s, a probe finds out that saves can be stored again, and no restart is needed',
  async (code) => {
    const fixture = await createTestGalley()
    await fixture.know('post-1')
    const { galley, post, service } = fixture
    const { stageFiles } = galley.vault
    const fault = Object.assign(new Error('not now'), { code, syscall: 'open' })
    let isBroken = true
    Object.assign(galley.vault, { stageFiles: () => (isBroken ? Promise.reject(fault) : stageFiles()) })
    const save = aSave(service)
    expect((await post(save.body, save.headers)).json).toMatchObject({ rc: 0, code: 'storage_failed' })
    expect(galley.listener.state()).toMatchObject({ fault: { until: 'mended', cause: storageCause(fault) } })
    expect(await galley.listener.checkStorage()).toMatchObject({ until: 'mended' })
    isBroken = false
    await expect.poll(() => galley.listener.state()).not.toHaveProperty('fault')
    expect((await post(save.body, save.headers)).json.rc).toBe(1)
  },
)

it.each(['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'])(
  'after a sync of the log that failed with %s, every save is refused until the restart, with the cause',
  async (code) => {
    const fixture = await createTestGalley()
    await fixture.know('post-1')
    const { galley, post, service } = fixture
    galley.library.log.refuseAppends(new LogSyncError(coded(code)))
    const state = { kind: 'listening', fault: { until: 'restart', cause: { code: 'sync_failed' } } }
    expect(galley.listener.state()).toMatchObject(state)
    const save = aSave(service)
    const answer = await post(save.body, save.headers)
    expect(answer.json).toMatchObject({ rc: 0, code: 'storage_failed' })
    expect(answer.json.rm).toContain(`because ${storageReason(coded(code))}`)
    expect(answer.json.rm).toContain('then restart Galley, and save again')
    expect(await galley.listener.checkStorage()).toMatchObject({ until: 'restart' })
    await galley.listener.stop()
    expect(await galley.listener.start('127.0.0.1', 0)).toMatchObject(state)
  },
)

it('a fault of the target of one site says nothing about other saves', async () => {
  const fixture = await createTestGalley()
  await fixture.know('post-1')
  const { galley, post, service } = fixture
  // A file is where the folder should be.
  const target = join(await temporaryFolder(), 'file')
  await writeFile(target, '')
  fixture.changeSite({ publish: { kind: 'folder', directory: target } })
  const save = aSave(service)
  expect((await post(save.body, save.headers)).json).toMatchObject({ rc: 0, code: 'storage_failed' })
  expect(galley.listener.state()).not.toHaveProperty('fault')
})

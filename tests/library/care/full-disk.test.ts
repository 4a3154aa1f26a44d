import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { rebuildLibrary } from '../../../packages/library/care/rebuild.ts'
import { isOutOfRoom } from '../../../packages/platform/disk/storage-reason.ts'
import { fillLibrary } from '../../support/large-library.ts'
import { openGalley } from '../../support/open-galley.ts'
import { aSave, createTestGalley } from '../../support/test-galley.ts'
import { traces } from '../../support/traces.ts'
import { acme } from '../db/sample.ts'
import type { SmallDisk } from '../log/small-disk.ts'
import { canMount, mountSmallDisk } from '../log/small-disk.ts'
import { aRun, reportOf } from './library.ts'

const roomy = tmpdir()

/** A folder on a disk with room, whatever the temporary folder is by now. */
function elsewhere(): string {
  const folder = mkdtempSync(join(roomy, 'galley-elsewhere-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Runs something on a system that keeps no files in memory. */
async function withoutMemory<Value>(run: () => Promise<Value>): Promise<Value> {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform')
  Object.defineProperty(process, 'platform', { ...platform, value: 'freebsd' })
  try {
    return await run()
  } finally {
    Object.defineProperty(process, 'platform', { ...platform })
  }
}

const ada = 'ada.l@example.test'

describe.skipIf(!canMount())('a library on a full disk', () => {
  /** A library with many versions, each with a small file. */
  async function aFilledLibrary(count = 2000) {
    const disk = mountSmallDisk(64)
    if (!disk) throw new Error('The disk could not be mounted')
    onTestFinished(() => disk.unmount())
    const folder = join(disk.folder, 'library')
    const size = { materials: 20, versions: count, callbacks: 0 }
    await (await openGalley({ folder })).close()
    await fillLibrary(folder, acme, size)
    for (let at = 0; at < size.versions; at += 1) {
      const name = createHash('sha256').update(`k${at}`).digest('hex')
      await writeFile(join(folder, 'files', name.charAt(0), name), 'kept')
    }
    const lines: string[] = []
    const open = async () => {
      const galley = await openGalley({ folder, log: (line) => void lines.push(line) })
      onTestFinished(() => galley.close())
      return galley
    }
    return { disk, folder, lines, open, old: size.versions - size.materials }
  }

  /** A library of saves by two people on a disk that is full now; opened before or after that. */
  async function afterSaves(state: string) {
    const disk = mountSmallDisk(64)
    if (!disk) throw new Error('The disk could not be mounted')
    onTestFinished(() => disk.unmount())
    const folder = join(disk.folder, 'library')
    const lines: string[] = []
    const log = (line: string) => void lines.push(line)
    const fixture = await createTestGalley({ edges: { folder, log } })
    await fixture.know('post-1')
    for (const versionId of ['v1', 'v2']) {
      const files = { 'big.bin': Buffer.alloc(100_000, versionId) }
      const { body, headers } = aSave(fixture.service, { versionId, files, metadata: { user_email: ada } })
      expect((await fixture.post(body, headers)).json.rc).toBe(1)
    }
    const big = fixture.galley.index.blobs.files().find(({ sizeBytes }) => sizeBytes === 100_000)
    const lost = fixture.galley.vault.pathOf(big?.file ?? expect.fail('There is no such file'))
    if (state === 'read_only') await fixture.close()
    const open = async () =>
      state === 'whole' ? { ...fixture.galley, close: fixture.close } : openGalley({ folder, log })
    return { disk, folder, lines, lost, open }
  }

  const reserveLines = [
    'Galley deleted the disk reserve of the library to free space for maintenance.',
    'The disk reserve was created again.',
  ]

  it.each(['read_only', 'whole'])('is rid of a person, opened as %s', async (state) => {
    const { disk, folder, lines, open } = await afterSaves(state)
    disk.fill(0)
    const { library, care, close } = await open()
    expect(library.state).toBe(state)
    const options = { email: ada, dryRun: false, backupFolders: [] }
    expect(await reportOf(care.erase(options, aRun()))).toMatchObject({ archives: 2 })
    expect(lines).toContain(reserveLines[0])
    expect(existsSync(join(folder, 'reserve'))).toBe(true)
    await close()
    expect(await traces(folder, ada)).toEqual([])
  })

  it.each(['read_only', 'whole'])('is repaired, opened as %s', async (state) => {
    const { disk, folder, lines, lost, open } = await afterSaves(state)
    await rm(lost)
    disk.fill(0)
    const { library, care, close } = await open()
    expect(library.state).toBe(state)
    expect(await reportOf(care.check({ repair: true }, aRun()))).toMatchObject({ findings: [{ fixed: true }] })
    expect(existsSync(lost)).toBe(true)
    // The file uses the space again.
    const stillFull = 'The disk is still full, so the disk reserve could not be fully created again.'
    expect(lines.filter((line) => line.includes('reserve'))).toEqual([reserveLines[0], stillFull])
    await close()
    const again = await openGalley({ folder })
    expect(again.care.lastCheck()).toMatchObject({ files: expect.any(Number) as number, problems: 0 })
    await again.close()
  })

  /** The temporary folder on the full disk. */
  async function temporaryOn(disk: SmallDisk): Promise<void> {
    const temporary = join(disk.folder, 'tmp')
    await mkdir(temporary)
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
  }

  it.each(['memory', 'reserve'])(
    'is read, checked, backed up and pruned by its %s, with the temporary folder on it',
    async (room) => {
      const { disk, folder, lines, open, old } = await aFilledLibrary(300)
      await temporaryOn(disk)
      disk.fill(0)
      const galley = await (room === 'memory' ? open() : withoutMemory(open))
      expect(galley.library.state).toBe(room === 'memory' ? 'read_only' : 'whole')
      expect(statSync(join(folder, 'reserve')).size).toBe((room === 'memory' ? 8 : 7) * 512 * 1024)
      expect(galley.index.counts()).toMatchObject({ versions: old + 20 })
      const file = join(elsewhere(), 'backup.galley')
      const backedUp = (): Promise<object> => reportOf(galley.care.backUp({ file }, aRun()))
      expect(await (room === 'memory' ? backedUp() : withoutMemory(backedUp))).toMatchObject({ versions: old + 20 })
      expect(await reportOf(galley.care.check({ repair: false }, aRun()))).toMatchObject({ isRepair: false })
      const options = { site: null, retention: { keepVersions: 1, keepDays: null }, dryRun: false }
      expect(await reportOf(galley.care.prune(options, aRun()))).toMatchObject({ versions: old })
      expect(lines.filter((line) => line.includes('reserve'))).toEqual([
        ...(room === 'memory' ? [] : ['Galley gave back a part of the disk reserve of the library to open it.']),
        ...reserveLines,
      ])
    },
  )

  it.each(['log', 'index'] as const)(
    'keeps index, log and room if they cannot be rebuilt from the %s',
    async (from) => {
      const { disk, folder, old } = await aFilledLibrary(600)
      disk.fill(300_000)
      const rebuilt = rebuildLibrary(folder, { from, now: () => new Date() })
      await expect(rebuilt).rejects.toSatisfy(isOutOfRoom)
      const left = readdirSync(folder)
      expect(left.filter((name) => /rebuild|new|base|rewriting|aside/.test(name))).toEqual([])
      disk.empty()
      const galley = await openGalley({ folder })
      expect(galley.library.notes).toEqual([])
      expect(galley.index.counts()).toMatchObject({ versions: old + 20 })
      await galley.close()
    },
  )

  it.each([100_000, 300_000])('is checked and backed up with %i bytes left', async (freeBytes) => {
    const { disk, folder, open, old } = await aFilledLibrary(600)
    const { care, library } = await open()
    expect(statSync(join(folder, 'index.db')).size).toBeGreaterThan(freeBytes)
    disk.fill(freeBytes)
    expect(library.state).toBe('whole')
    const file = join(elsewhere(), 'backup.galley')
    expect(await reportOf(care.backUp({ file }, aRun()))).toMatchObject({ versions: old + 20 })
    expect(await reportOf(care.check({ repair: false }, aRun()))).toMatchObject({ isRepair: false })
  })

  it('is checked where its disk and the temporary folder have room for one copy of the index each', async () => {
    const { disk, folder, open } = await aFilledLibrary(600)
    const { care } = await open()
    const other = mountSmallDisk(64) ?? expect.fail('The disk could not be mounted')
    onTestFinished(() => other.unmount())
    const sizes = ['index.db', 'index.db-wal', 'local.db', 'local.db-wal'].map(
      (name) => statSync(join(folder, name)).size,
    )
    const room = 1.5 * sizes.reduce((sum, size) => sum + size, 0)
    await temporaryOn(other)
    for (const each of [disk, other]) each.fill(room)
    const checked = await withoutMemory(() => reportOf(care.check({ repair: false }, aRun())))
    expect(checked).toMatchObject({ isRepair: false })
    for (const each of [disk, other]) expect(each.freeBytes()).toBeGreaterThan(0.9 * room)
  })

  it.each(['read_only', 'whole'])(
    'is pruned of more than its reserve could write down, opened as %s',
    async (state) => {
      const { disk, lines, open, old } = await aFilledLibrary()
      const before = state === 'whole' ? await open() : null
      disk.fill(0)
      const { library, care } = before ?? (await open())
      expect(library.state).toBe(state)
      const options = { site: null, retention: { keepVersions: 1, keepDays: null }, dryRun: false }
      expect(await reportOf(care.prune(options, aRun()))).toMatchObject({ versions: old, files: old })
      expect(lines).toEqual(reserveLines)
    },
  )
})

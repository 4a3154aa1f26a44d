import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { fillLibrary } from '../../../support/large-library.ts'
import { openGalley } from '../../../support/open-galley.ts'
import { aSave, createTestGalley } from '../../../support/test-galley.ts'
import { traces } from '../../../support/traces.ts'
import { acme } from '../../library/db/sample.ts'
import { canMount, mountSmallDisk } from '../../library/log/small-disk.ts'
import { aRun, reportOf } from './library.ts'

const ada = 'ada.l@example.test'

describe.skipIf(!canMount())('a library on a full disk', () => {
  /** A library with many versions, each with a small file. */
  async function aFilledLibrary() {
    const disk = mountSmallDisk(64)
    if (!disk) throw new Error('The disk could not be mounted')
    onTestFinished(() => disk.unmount())
    const folder = join(disk.folder, 'library')
    const size = { materials: 20, versions: 2000, callbacks: 0 }
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
    return { disk, lines, open, old: size.versions - size.materials }
  }

  /** A library of saves by two people on a disk that is full now; opened before or after that. */
  async function afterSaves(state: string) {
    const disk = mountSmallDisk(64)
    if (!disk) throw new Error('The disk could not be mounted')
    onTestFinished(() => disk.unmount())
    const folder = join(disk.folder, 'library')
    const lines: string[] = []
    const log = (line: string) => void lines.push(line)
    const house = await createTestGalley({ edges: { folder, log } })
    await house.know('post-1')
    for (const versionId of ['v1', 'v2']) {
      const files = { 'big.bin': Buffer.alloc(100_000, versionId) }
      const { body, headers } = aSave(house.service, { versionId, files, metadata: { user_email: ada } })
      expect((await house.post(body, headers)).json.rc).toBe(1)
    }
    const big = house.galley.index.blobs.files().find(({ sizeBytes }) => sizeBytes === 100_000)
    const lost = house.galley.vault.pathOf(big?.file ?? expect.fail('There is no such file'))
    if (state === 'read_only') await house.close()
    const open = async () => (state === 'whole' ? { ...house.galley, close: house.close } : openGalley({ folder, log }))
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

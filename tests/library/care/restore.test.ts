import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { restore } from '../../../packages/library/care/restore.ts'
import { openLibrary } from '../../../packages/library/db/open/open-library.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { canMount, mountSmallDisk } from '../log/small-disk.ts'
import { aLibraryToBackUp, backUp } from './backed-up.ts'
import { forgeAgain } from './forged-backup.ts'
import { aRun, reportOf } from './library.ts'

const now = () => new Date()

describe('restoring', () => {
  it('refuses a backup with any changed byte, and names the position', async () => {
    const library = await aLibraryToBackUp()
    await backUp(library, library.file)
    const bytes = await readFile(library.file)
    const step = Math.ceil(bytes.length / 150)
    const tail = Array.from({ length: 60 }, (_, at) => bytes.length - 1 - at * 7)
    const places = [...Array.from({ length: 150 }, (_, at) => at * step), ...tail]
    const harmed = join(library.outside, 'harmed.zip')
    for (const place of places) {
      const other = Buffer.from(bytes)
      other[place] = (other[place] ?? 0) ^ 0x01
      await writeFile(harmed, other)
      const refused = await restore({ file: harmed, folder: library.folder2, now }, aRun())
      expect(refused.ok, String(place)).toBe(false)
      if (!refused.ok) expect(['damaged_backup', 'not_a_backup'], String(place)).toContain(refused.failure.code)
    }
    const film = library.index.blobs.files().toSorted((a, b) => b.sizeBytes - a.sizeBytes)[0]?.file ?? ''
    const other = Buffer.from(bytes)
    const at = bytes.indexOf(`files/${film}`) + 1000
    other[at] = (other[at] ?? 0) ^ 0x01
    await writeFile(harmed, other)
    expect(await restore({ file: harmed, folder: library.folder2, now }, aRun())).toEqual({
      ok: false,
      failure: { code: 'damaged_backup', what: `files/${film} differs from what was backed up` },
    })
    expect((await readdir(library.outside)).toSorted()).toEqual(['harmed.zip', 'library.zip'])
  })

  it('refuses one that is truncated, has trailing bytes, or is not a backup', async () => {
    const library = await aLibraryToBackUp()
    await backUp(library, library.file)
    const bytes = await readFile(library.file)
    const other = join(library.outside, 'other.zip')
    const refusalOf = async (content: Buffer | string) => {
      await writeFile(other, content)
      const refused = await restore({ file: other, folder: library.folder2, now }, aRun())
      return refused.ok ? 'restored' : refused.failure
    }
    expect(await refusalOf(bytes.subarray(0, -1000))).toEqual({ code: 'damaged_backup', what: 'its end is missing' })
    expect(await refusalOf(bytes.subarray(0, 50))).toEqual({ code: 'damaged_backup', what: 'its end is missing' })
    expect(await refusalOf(Buffer.concat([bytes, Buffer.from('x')]))).toMatchObject({ code: 'damaged_backup' })
    expect(await refusalOf(Buffer.concat([Buffer.from('x'), bytes]))).toMatchObject({ code: 'damaged_backup' })
    for (const nothing of ['', 'x', 'galley-backup 0 0', Buffer.alloc(500)]) {
      expect(['not_a_backup', 'damaged_backup']).toContain(((await refusalOf(nothing)) as { code: string }).code)
    }
    const gone = await restore({ file: join(library.outside, 'gone.zip'), folder: library.folder2, now }, aRun())
    expect(gone).toEqual({ ok: false, failure: { code: 'not_a_backup' } })
    expect(existsSync(library.folder2)).toBe(false)
  })

  it('refuses one that lacks files which its log names', async () => {
    const library = await aLibraryToBackUp()
    const lost = library.index.blobs.files()[0]?.file ?? ''
    await rm(library.vault.pathOf(lost as Sha256))
    await backUp(library, library.file)
    // Only a forged backup does not list what it lacks: this one's manifest is rewritten without that list.
    await forgeAgain(library.file, {
      manifest(manifest) {
        expect(manifest.missing).toEqual([lost])
        return { ...manifest, missing: [] }
      },
    })
    expect(await restore({ file: library.file, folder: library.folder2, now }, aRun())).toEqual({
      ok: false,
      failure: { code: 'damaged_backup', what: 'it refers to files that it does not contain' },
    })
    expect(existsSync(library.folder2)).toBe(false)
  })

  it('refuses one of a newer Galley', async () => {
    const library = await aLibraryToBackUp()
    const { position, hash } = library.index.commit.mark()
    await backUp(library, library.file)
    const entry = JSON.stringify({ galley: 999, position: position + 1, previous: hash, changes: [{ kind: 'later' }] })
    const sha256 = createHash('sha256').update(entry).digest('hex')
    const line = (length: number) =>
      `{"length":"${String(length).padStart(10, '0')}","sha256":"${sha256}","entry":${entry}}\n`
    const later = Buffer.from(line(line(0).length))
    await forgeAgain(library.file, { log: (bytes) => Buffer.concat([bytes, later]) })
    expect(await restore({ file: library.file, folder: library.folder2, now }, aRun())).toEqual({
      ok: false,
      failure: { code: 'newer_library' },
    })
    expect(await readdir(library.outside)).toEqual(['library.zip'])
  })

  it('refuses one with a changed log, and names the entry', async () => {
    const library = await aLibraryToBackUp()
    await backUp(library, library.file)
    await forgeAgain(library.file, {
      log: (bytes) => Buffer.from(bytes.toString('latin1').replace('"Acme"', '"Acne"'), 'latin1'),
    })
    expect(await restore({ file: library.file, folder: library.folder2, now }, aRun())).toEqual({
      ok: false,
      failure: { code: 'damaged_backup', what: 'entry 2 of its log differs from what was written' },
    })
    expect(await readdir(library.outside)).toEqual(['library.zip'])
  })

  it('refuses one of a build before 0.1.0', async () => {
    const library = await aLibraryToBackUp()
    await backUp(library, library.file)
    await forgeAgain(library.file, { manifest: (manifest) => ({ ...manifest, format: 'galley-backup' as never }) })
    expect(await restore({ file: library.file, folder: library.folder2, now }, aRun())).toEqual({
      ok: false,
      failure: { code: 'earlier_library' },
    })
    expect(await readdir(library.outside)).toEqual(['library.zip'])
  })

  it('requires a new or empty folder', async () => {
    const library = await aLibraryToBackUp()
    await backUp(library, library.file)
    await mkdir(library.folder2)
    await writeFile(join(library.folder2, 'diary.txt'), 'mine')
    const refused = { ok: false, failure: { code: 'folder_not_empty' } }
    expect(await restore({ file: library.file, folder: library.folder2, now }, aRun())).toEqual(refused)
    expect(await restore({ file: library.file, folder: library.file, now }, aRun())).toEqual(refused)
    expect(await readFile(join(library.folder2, 'diary.txt'), 'utf8')).toBe('mine')
    await rm(join(library.folder2, 'diary.txt'))
    await reportOf(restore({ file: library.file, folder: library.folder2, now }, aRun()))
    expect(existsSync(join(library.folder2, 'index.db'))).toBe(true)
  })

  it('takes a link to an empty folder for that folder', async () => {
    const library = await aLibraryToBackUp()
    await backUp(library, library.file)
    const beside = await temporaryFolder()
    const [folder, link] = [join(beside, 'chosen'), join(beside, 'link')]
    await mkdir(folder)
    await symlink(folder, link)
    await reportOf(restore({ file: library.file, folder: link, now }, aRun()))
    expect([existsSync(join(folder, 'index.db')), (await lstat(link)).isSymbolicLink()]).toEqual([true, true])
  })

  it.skipIf(!canMount())('fills a mount point, even after a run that was killed there', async () => {
    const library = await aLibraryToBackUp()
    await backUp(library, library.file)
    const disk = mountSmallDisk(32)
    if (disk === null) throw new Error('No small disk')
    onTestFinished(disk.unmount)
    await mkdir(join(disk.folder, 'lost+found'))
    await mkdir(join(disk.folder, '.unfinished.0123456789abcdef.galley-tmp/log'), { recursive: true })
    const { versions } = await reportOf(restore({ file: library.file, folder: disk.folder, now }, aRun()))
    const restored = await openLibrary(disk.folder, now, () => undefined)
    onTestFinished(restored.close)
    expect([restored.notes, restored.index.counts().versions]).toEqual([[], versions])
    expect((await readdir(disk.folder)).filter((name) => name.startsWith('.unf'))).toEqual([])
  })

  it('that is stopped leaves nothing', async () => {
    const library = await aLibraryToBackUp()
    await backUp(library, library.file)
    const stop = new AbortController()
    const run = { signal: stop.signal, onProgress: () => stop.abort() }
    expect(await restore({ file: library.file, folder: library.folder2, now }, run)).toEqual({
      ok: false,
      failure: { code: 'cancelled', state: 'midway' },
    })
    expect(await readdir(dirname(library.folder2))).toEqual(['library.zip'])
  })

  it.skipIf(process.platform === 'win32')('makes everything for its owner alone', async () => {
    const library = await aLibraryToBackUp()
    await backUp(library, library.file)
    await reportOf(restore({ file: library.file, folder: library.folder2, now }, aRun()))
    const entries = await readdir(library.folder2, { recursive: true, withFileTypes: true })
    for (const path of [library.folder2, ...entries.map((entry) => join(entry.parentPath, entry.name))])
      expect((await stat(path)).mode & 0o077, path).toBe(0)
  })
})

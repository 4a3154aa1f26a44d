import { readFileSync } from 'node:fs'
import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { backUp as writeBackup } from '../../../packages/library/care/backup.ts'
import { restore } from '../../../packages/library/care/restore.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import { openGalley } from '../../support/open-galley.ts'
import { zipOf } from '../../support/test-galley.ts'
import { readWithYauzl } from '../../support/unzip.ts'
import { aLibraryToBackUp, backUp } from './backed-up.ts'
import { aRun, forget, reportOf } from './library.ts'

/** Opens the restored library like any other. */
async function open(folder: string) {
  const galley = await openGalley({ folder })
  onTestFinished(galley.close)
  return galley
}

const now = () => new Date()

describe('a backup', () => {
  it('does not contain the last check of its library, because the restored one was never checked', async () => {
    const { care, file, folder2, ...library } = await aLibraryToBackUp()
    await reportOf(care.check({ repair: false }, aRun()))
    await backUp({ ...library, care }, file)
    await reportOf(restore({ file, folder: folder2, now }, aRun()))
    expect((await open(folder2)).care.lastCheck()).toBeNull()
    expect(care.lastCheck()).not.toBeNull()
  })

  it('leaves a checkpoint of the library, from which a rebuild starts, one for each position', async () => {
    const library = await aLibraryToBackUp()
    const { positions } = library.galley.library.checkpoints
    expect(await positions()).toEqual([])
    await backUp(library, library.file)
    const { position } = library.index.commit.mark()
    expect(await positions()).toEqual([position])
    await backUp(library, library.file)
    expect(await positions()).toEqual([position])
  })

  it('restores the same library byte for byte, except for its secrets', async () => {
    const library = await aLibraryToBackUp()
    const { file, folder2 } = library
    const written = await backUp(library, file)
    expect(written).toMatchObject({
      files: library.index.blobs.files().length,
      materials: 1,
      versions: 2,
      missing: [],
      damaged: [],
    })
    expect(written.bytes).toBe((await stat(file)).size)
    const run = aRun()
    const restored = await reportOf(restore({ file, folder: folder2, now }, run))
    expect(restored).toMatchObject({
      files: written.files,
      materials: 1,
      versions: 2,
      backedUpAt: written.at,
      sitesWithoutSecret: ['acme'],
    })
    expect(run.seen.at(-1)?.step).toBe('writing')
    const galley = await open(folder2)
    expect(galley.index.versions.list('acme', 'post-1')).toEqual(library.index.versions.list('acme', 'post-1'))
    expect(galley.index.snapshots.list('acme')).toEqual(library.index.snapshots.list('acme'))
    expect((await galley.sites.list())[0]?.secret).toBe('missing')
    for (const { file: name } of library.index.blobs.files())
      expect(readFileSync(galley.vault.pathOf(name)).equals(readFileSync(library.vault.pathOf(name)))).toBe(true)
    expect(await reportOf(galley.care.check({ repair: false }, aRun()))).toMatchObject({ ok: true, findings: [] })
  })

  it('is an ordinary ZIP in a fixed order, readable only by its owner, without secrets', async () => {
    const library = await aLibraryToBackUp()
    await backUp(library, library.file)
    const names = Object.keys(await readWithYauzl(readFileSync(library.file)))
    const files = library.index.blobs.files().map(({ file }) => `files/${file}`)
    expect(names).toEqual(['log/00000000000000000001.jsonl', 'local.db', ...files.toSorted(), 'galley-backup.json'])
    if (process.platform !== 'win32') expect((await stat(library.file)).mode & 0o777).toBe(0o600)
    expect(readFileSync(library.file).includes(library.service.secret)).toBe(false)
    expect(await readdir(library.outside)).toEqual(['library.zip'])
    expect(await readdir(join(library.folder, 'staging'))).toEqual([])
  })

  it('replaces an earlier one and nothing else', async () => {
    const library = await aLibraryToBackUp()
    const { file, care } = library
    await backUp(library, file)
    const first = await readFile(file)
    await library.save({ versionId: 'three' })
    await backUp(library, file)
    expect((await readFile(file)).equals(first)).toBe(false)
    const theirs = join(library.outside, 'theirs.zip')
    const zipWith = (path: string) => writeFile(theirs, zipOf({ [path]: 'a diary' }))
    for (const make of [
      () => writeFile(theirs, 'a diary'),
      () => zipWith('log/app.log'),
      () => zipWith('index.db'),
      () => zipWith('log/00000000000000000001.jsonl'),
      () => mkdir(theirs),
    ]) {
      await rm(theirs, { force: true })
      await make()
      expect(await care.backUp({ file: theirs }, aRun())).toEqual({
        ok: false,
        failure: { code: 'not_ours', state: 'backup' },
      })
    }
    expect(await care.backUp({ file: join(library.folder, 'mine.galley-backup') }, aRun())).toEqual({
      ok: false,
      failure: { code: 'not_ours', state: 'in_library' },
    })
  })

  it('of a library with a damaged log contains everything in its index', async () => {
    const library = await aLibraryToBackUp()
    const { file, folder2 } = library
    const [name = ''] = await readdir(library.library.log.folder)
    const log = join(library.library.log.folder, name)
    const bytes = await readFile(log)
    const at = bytes.indexOf('"version_stored"')
    bytes[at] = 0
    await writeFile(log, bytes)
    await backUp(library, file)
    expect(await reportOf(restore({ file, folder: folder2, now }, aRun()))).toMatchObject({ materials: 1, versions: 2 })
    const galley = await open(folder2)
    expect(galley.index.versions.list('acme', 'post-1')).toEqual(library.index.versions.list('acme', 'post-1'))
    // A check of the copy reports the same damage as one of the original.
    const kinds = async ({ care }: Pick<typeof library, 'care'>) =>
      (await reportOf(care.check({ repair: false }, aRun()))).findings.map(({ kind }) => kind)
    expect(await kinds(library)).toContain('log_damaged')
    expect(await kinds(galley)).toEqual(await kinds(library))
  })

  it('is refused if the log lacks the last entry of the index, because it could not be restored', async () => {
    const library = await aLibraryToBackUp()
    const [name = ''] = await readdir(library.library.log.folder)
    const log = join(library.library.log.folder, name)
    const bytes = await readFile(log)
    bytes[bytes.length - 9] = 0
    await writeFile(log, bytes)
    expect(await library.care.backUp({ file: library.file }, aRun())).toEqual({
      ok: false,
      failure: { code: 'log_mismatch' },
    })
    expect(await readdir(library.outside)).toEqual([])
  })

  it('is refused if an erase folds the log meanwhile', async () => {
    const library = await aLibraryToBackUp()
    const { file, index } = library
    const copyLocalTo: typeof index.copyLocalTo = async (...options) => {
      await index.copyLocalTo(...options)
      await library.library.foldLog(new AbortController().signal)
    }
    const ports = { ...library, index: { ...index, copyLocalTo } }
    const options = { file, withFiles: false }
    expect(await writeBackup(ports as never, options, aRun())).toMatchObject({ failure: { code: 'file_failed' } })
    expect(await readdir(library.outside)).toEqual([])
  })

  it('reports its progress in bytes, including those of the index', async () => {
    const library = await aLibraryToBackUp()
    const run = aRun()
    await reportOf(library.care.backUp({ file: library.file }, run))
    const copied = run.seen.findLast(({ step }) => step === 'copying')
    const { size } = await stat(join(library.folder, 'index.db'))
    expect(copied?.unit).toBe('bytes')
    expect(copied?.total).toBeGreaterThanOrEqual(size)
  })

  it('that is stopped leaves nothing behind, and the earlier one unchanged', async () => {
    const library = await aLibraryToBackUp()
    await backUp(library, library.file)
    const first = await readFile(library.file)
    for (const step of ['copying', 'writing', 'verifying']) {
      const stop = new AbortController()
      const onProgress = (progress: { step: string }) => void (progress.step === step && stop.abort())
      const stopped = await library.care.backUp({ file: library.file }, { signal: stop.signal, onProgress })
      expect(stopped, step).toEqual({ ok: false, failure: { code: 'cancelled', state: 'midway' } })
    }
    expect((await readFile(library.file)).equals(first)).toBe(true)
    expect(await readdir(library.outside)).toEqual(['library.zip'])
    expect(await reportOf(library.care.collect({ dryRun: true, emptyLostAndFound: false }, aRun()))).toMatchObject({
      files: 0,
    })
  })

  it('contains the state at its start, whatever is saved or deleted while it is written', async () => {
    const library = await aLibraryToBackUp()
    const { file, folder2, care } = library
    let saved: Promise<unknown> = Promise.resolve()
    const collections: ReturnType<typeof care.collect>[] = []
    const report = await reportOf(
      care.backUp(
        { file },
        {
          signal: new AbortController().signal,
          onProgress({ step }) {
            if (step !== 'writing' || collections.length > 0) return
            forget(library.index, 'one')
            collections.push(care.collect({ dryRun: false, emptyLostAndFound: false }, aRun()))
            saved = library.save({ versionId: 'late' })
          },
        },
      ),
    )
    await saved
    expect(report).toMatchObject({ versions: 2, missing: [] })
    expect(await Promise.all(collections)).toMatchObject([{ ok: true, value: { files: 3 } }])
    await reportOf(restore({ file, folder: folder2, now }, aRun()))
    const galley = await open(folder2)
    expect(galley.index.versions.list('acme', 'post-1').map(({ versionId }) => versionId)).toEqual(['two', 'one'])
    expect(await reportOf(galley.care.check({ repair: false }, aRun()))).toMatchObject({ ok: true, findings: [] })
  })

  it('of a library with lost files contains the remaining ones, and lists the missing ones', async () => {
    const library = await aLibraryToBackUp()
    const big = library.fileOf(`SELECT sha256 FROM media WHERE name = 'big.bin' LIMIT 1`)
    const archive = library.fileOf('SELECT kept_sha256 FROM version LIMIT 1')
    await writeFile(big, 'not what it was')
    await rm(archive)
    const lack = { missing: [basename(archive)], damaged: [basename(big)] }
    expect(await backUp(library, library.file)).toMatchObject(lack)
    expect(await reportOf(restore({ file: library.file, folder: library.folder2, now }, aRun()))).toMatchObject(lack)
    const galley = await open(library.folder2)
    expect(await readFile(galley.vault.pathOf(basename(big) as Sha256), 'utf8')).toBe('not what it was')
  })
})

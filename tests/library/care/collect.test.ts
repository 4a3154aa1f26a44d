import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { leftoversIn } from '../../../packages/library/care/leftovers.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import type { CaredLibrary } from './library.ts'
import { aCaredLibrary, aRun, forget, reportOf, someFiles } from './library.ts'

const collect = ({ care }: CaredLibrary, dryRun = false, emptyLostAndFound = false) =>
  reportOf(care.collect({ dryRun, emptyLostAndFound }, aRun()))
const check = ({ care }: CaredLibrary) => reportOf(care.check({ repair: false }, aRun()))

/** Two days ago. */
const longAgo = new Date(Date.now() - 2 * 86_400_000)

const nothing = { blobs: 0, files: 0, bytes: 0, setAside: { files: 0, bytes: 0 } }

describe('collecting', () => {
  it('finds nothing in a library where everything is needed', async () => {
    const library = await aCaredLibrary()
    await library.save({ files: someFiles('one') })
    await library.saveFonts('snap', {
      'vms_fonts/a.woff': 'x',
      'vms_fonts.css': 'a{}',
      'vms_fonts.json': '{"list":[]}',
    })
    const before = await library.filesOf()
    expect(await collect(library)).toEqual({ isDryRun: false, ...nothing })
    expect(await library.filesOf()).toEqual(before)
  })

  it('deletes what only a removed version needed, as the dry run says, and keeps shared files', async () => {
    const library = await aCaredLibrary()
    const shared = { 'logo.png': 'the same', 'film.bin': Buffer.alloc(80_000, 7) }
    for (const versionId of ['one', 'two'])
      await library.save({ versionId, files: { ...shared, ...someFiles(versionId) } })
    const before = await library.filesOf()
    forget(library.index, 'one')
    const foretold = await collect(library, true)
    expect(await library.filesOf()).toEqual(before)
    // The archive and the large file; the pack stays because it contains the shared logo.
    expect(foretold).toMatchObject({ isDryRun: true, files: 2 })
    expect(foretold.bytes).toBeGreaterThan(100_000)
    expect(await collect(library)).toEqual({ ...foretold, isDryRun: false })
    expect(await library.filesOf()).toHaveLength(before.length - 2)
    expect(await collect(library)).toMatchObject({ blobs: 0, files: 0 })
    expect(await check(library)).toMatchObject({ ok: true, findings: [] })
  })

  it('deletes files that brought only what was stored before, and a check does not mind them', async () => {
    const library = await aCaredLibrary()
    const [first, second] = ['<p>first', '<p>second']
    await library.save({ versionId: 'one', html: first, files: {}, state: '{"n":1}' })
    await library.save({ versionId: 'two', html: second, files: {}, state: '{"n":2}' })
    await library.save({ versionId: 'three', html: first, files: {}, state: '{"n":2}' })
    expect(await check(library)).toMatchObject({ ok: true, findings: [] })
    const before = await library.filesOf()
    expect(await collect(library, true)).toMatchObject({ blobs: 0, files: 1 })
    expect(await collect(library)).toMatchObject({ blobs: 0, files: 1, setAside: { files: 0 } })
    expect(await library.filesOf()).toHaveLength(before.length - 1)
    expect(await check(library)).toMatchObject({ ok: true, findings: [] })
  })

  it('deletes the remains of a dead save, but nothing that a running one needs', async () => {
    const library = await aCaredLibrary()
    const running = await library.vault.stage()
    await writeFile(join(running, 'archive.zip'), 'coming')
    await mkdir(join(library.folder, 'staging', 'dead', 'deep'), { recursive: true })
    await writeFile(join(library.folder, 'staging', 'dead', 'deep', 'file'), '12345')
    const found = { ...nothing, files: 1, bytes: 5 }
    expect(await collect(library, true)).toEqual({ isDryRun: true, ...found })
    expect(await collect(library)).toEqual({ isDryRun: false, ...found })
    expect(await readdir(running)).toEqual(['archive.zip'])
  })

  it('leaves staging alone while another process serves the library, also after the clock was set forward', async () => {
    const { vault, folder } = await aCaredLibrary()
    await writeFile(join(folder, 'staging', 'of-a-save'), 'coming')
    await writeFile(join(folder, 'staging', 'arriving-file'), 'coming')
    const now = () => new Date(Date.now() + 3 * 3_600_000)
    const left = (isServed: boolean) => leftoversIn({ vault, now, isServedElsewhere: () => isServed })
    expect(await left(true)).toEqual([])
    const release = await vault.share()
    expect(await left(false)).toEqual([])
    release()
    expect((await left(false)).map(({ name }) => name).toSorted()).toEqual(['arriving-file', 'of-a-save'])
  })

  it('moves unnamed files to lost-and-found after a day, and deletes them only on request', async () => {
    const library = await aCaredLibrary()
    const [old, young] = ['1', '2'].map((digit) => library.vault.pathOf(digit.repeat(64) as Sha256)) as [string, string]
    for (const path of [old, young]) await writeFile(path, 'x')
    await utimes(old, longAgo, longAgo)
    const found = { ...nothing, setAside: { files: 1, bytes: 1 } }
    expect(await collect(library, true)).toEqual({ isDryRun: true, ...found })
    expect(existsSync(old)).toBe(true)
    expect(await collect(library)).toEqual({ isDryRun: false, ...found })
    expect([existsSync(old), existsSync(young)]).toEqual([false, true])
    const aside = join(library.folder, 'lost-and-found')
    expect(await readdir(aside)).toEqual([basename(old)])
    expect(await collect(library)).toEqual({ isDryRun: false, ...nothing })
    const emptied = { ...nothing, files: 1, bytes: 1 }
    expect(await collect(library, true, true)).toEqual({ isDryRun: true, ...emptied })
    expect(await readdir(aside)).toEqual([basename(old)])
    expect(await collect(library, false, true)).toEqual({ isDryRun: false, ...emptied })
    expect(await readdir(aside)).toEqual([])
  })

  it('keeps unnamed files in lost-and-found that it has moved there', async () => {
    const library = await aCaredLibrary()
    const [earlier, later] = ['1', '2'].map((digit) => library.vault.pathOf(digit.repeat(64) as Sha256)) as [
      string,
      string,
    ]
    for (const stranger of [earlier, later]) {
      await writeFile(stranger, 'x')
      await utimes(stranger, longAgo, longAgo)
      if (stranger === earlier) await collect(library)
    }
    const both = { ...nothing, files: 1, bytes: 1, setAside: { files: 1, bytes: 1 } }
    expect(await collect(library, true, true)).toEqual({ isDryRun: true, ...both })
    expect(await collect(library, false, true)).toEqual({ isDryRun: false, ...both })
    expect(await readdir(join(library.folder, 'lost-and-found'))).toEqual([basename(later)])
  })

  it('does not move unnamed files while the log is damaged', async () => {
    const library = await aCaredLibrary()
    await library.save()
    const stranger = library.vault.pathOf('1'.repeat(64) as Sha256)
    await writeFile(stranger, 'x')
    await utimes(stranger, longAgo, longAgo)
    const [segment = ''] = await readdir(join(library.folder, 'log'))
    const path = join(library.folder, 'log', segment)
    const whole = await readFile(path)
    const harmed = Buffer.from(whole)
    harmed[300] = (harmed[300] ?? 0) ^ 1
    await writeFile(path, harmed)
    expect(await collect(library)).toEqual({ isDryRun: false, ...nothing })
    expect(existsSync(stranger)).toBe(true)
    await writeFile(path, whole)
    expect(await collect(library)).toMatchObject({ setAside: { files: 1 } })
  })

  it('does not delete files while a reader uses them, and reports that they are in use', async () => {
    const library = await aCaredLibrary()
    const orphan = library.vault.pathOf('0'.repeat(64) as Sha256)
    await writeFile(orphan, 'x')
    await utimes(orphan, longAgo, longAgo)
    const release = await library.vault.share()
    const stop = new AbortController()
    const collected = library.care.collect(
      { dryRun: false, emptyLostAndFound: false },
      { signal: stop.signal, onProgress: () => stop.abort() },
    )
    expect(await collected).toEqual({ ok: false, failure: { code: 'cancelled', state: 'midway' } })
    expect(existsSync(orphan)).toBe(true)
    release()
    expect(await collect(library)).toMatchObject({ setAside: { files: 1 } })
  })
})

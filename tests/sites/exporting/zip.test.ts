import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import AdmZip from 'adm-zip'
import { describe, expect, it } from 'vitest'

import { publishingDefaults } from '../../../packages/library/records/site-model-fields.ts'
import { centralHeader, endRecords } from '../../../packages/platform/zip/zip-records.ts'
import { createZip } from '../../../packages/platform/zip/zip-writer.ts'
import { manifestText } from '../../../packages/sites/bundle/manifest.ts'
import { earlierZip } from '../../../packages/sites/exporting/earlier-zip.ts'
import { exportBundle } from '../../../packages/sites/exporting/export-bundle.ts'
import { contentsOf, hashOf, temporaryFolder } from './folders.ts'
import { exported, reported } from './into-folder.ts'
import { createFilledLibrary, plainOptions } from './sample-library.ts'

const run = async (library: ReturnType<typeof createFilledLibrary>, file: string) =>
  reported(await exportBundle({ source: library.source(), target: { kind: 'zip', file }, options: plainOptions }))

describe('export to a ZIP', () => {
  it('has the same bytes each time, and the same files as the folder', async () => {
    const folder = temporaryFolder()
    const [one, two, out] = [join(folder, 'one.zip'), join(folder, 'sub/two.zip'), join(folder, 'out')]
    const first = await run(createFilledLibrary(), one)
    expect(first).toMatchObject({ ok: true, value: { files: 18, added: 18, changed: 0, removed: 0, unchanged: 0 } })
    const second = await run(createFilledLibrary(), two)
    expect(hashOf(two)).toBe(hashOf(one))
    expect(first).toMatchObject({ value: await exported(createFilledLibrary(), out) })
    expect(second).toEqual(first)
    const unpacked = temporaryFolder()
    new AdmZip(one).extractAllTo(unpacked)
    expect(contentsOf(unpacked)).toEqual(contentsOf(out))
    expect(readdirSync(folder)).toEqual(['one.zip', 'out', 'sub'])
  })

  it('can be read by other programs', async () => {
    const file = join(temporaryFolder(), 'site.zip')
    await run(createFilledLibrary(), file)
    if (has('unzip')) execFileSync('unzip', ['-tqq', file])
    if (has('python3')) expect(testByPython(file)).toBe('18 None')
    const entries = new AdmZip(file).getEntries()
    const names = entries.map(({ entryName }) => entryName)
    expect(names).toEqual(names.toSorted())
    // 1980-01-01 00:00, and a plain file that everyone can read.
    expect(new Set(entries.map(({ attr, header }) => `${header.timeval >>> 0} ${(attr >>> 16).toString(8)}`))).toEqual(
      new Set([`${0x21 << 16} 100644`]),
    )
  })

  it('counts changes against the previous bundle', async () => {
    const file = join(temporaryFolder(), 'site.zip')
    const library = createFilledLibrary()
    await run(library, file)
    expect(await run(library, file)).toMatchObject({ value: { added: 0, changed: 0, removed: 0, unchanged: 18 } })
    const fresh = library.media('fresh.png', 'fresh')
    library.save('1', `<img src="${fresh.url}">`, [fresh])
    expect(await run(library, file)).toMatchObject({
      value: { files: 15, added: 1, changed: 2, removed: 4, unchanged: 12 },
    })
  })

  it('does not replace a file that no export wrote', async () => {
    const folder = temporaryFolder()
    const other = new AdmZip()
    other.addFile('galley-bundle.json', Buffer.from('{}'))
    other.writeZip(join(folder, 'other.zip'))
    writeFileSync(join(folder, 'notes.zip'), 'notes')
    mkdirSync(join(folder, 'folder.zip'))
    symlinkSync(join(folder, 'notes.zip'), join(folder, 'link.zip'))
    for (const name of ['other.zip', 'notes.zip', 'folder.zip', 'link.zip']) {
      expect(await run(createFilledLibrary(), join(folder, name))).toMatchObject({ failure: { code: 'not_ours' } })
    }
    expect(readdirSync(folder)).toHaveLength(4)
  })

  it('recognizes its own files by the comment, not by their contents', async () => {
    const path = join(temporaryFolder(), 'other.zip')
    const manifest = manifestText(
      {
        site: {
          id: 'site',
          name: '',
          publishing: publishingDefaults,
          tagFolders: new Map(),
          hasChosenHome: false,
        },
        pages: [],
      },
      [],
    )
    const written = async (comment: string, text = manifest) => {
      await using file = await open(path, 'w+')
      const zip = createZip(file)
      await zip.add('galley-bundle.json', text.length, Readable.from([Buffer.from(text)]))
      await zip.finish(comment)
    }
    await written('galley-bundle')
    expect(await earlierZip(path)).toEqual(new Map([['galley-bundle.json', hashOfText(manifest)]]))
    await written('someone-elses')
    expect(await earlierZip(path)).toBeNull()
    const version = /"version": 1\b/
    expect(manifest).toMatch(version)
    await written('galley-bundle', manifest.replace(version, '"version": 99'))
    expect(await earlierZip(path)).toBe('newer')
  })

  it('detects a wrong size in the index', async () => {
    const library = createFilledLibrary()
    const { sizeBytes, ...file } = library.media('fresh.png', 'fresh')
    library.save('3', '<p>', [{ ...file, sizeBytes: sizeBytes + 1 }])
    const path = join(temporaryFolder(), 'site.zip')
    expect(await run(library, path)).toMatchObject({ failure: { code: 'damaged_blob', problem: 'altered' } })
  })

  it('keeps the old one if a stored file is damaged, and removes leftovers of a killed export', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'site.zip')
    const library = createFilledLibrary()
    await run(library, file)
    const before = hashOf(file)
    const { sha256 } = library.media('fresh.png', 'fresh')
    library.save('3', '<p>', [library.media('fresh.png', 'fresh')])
    library.blobs.set(sha256, Buffer.from('FRESH'))
    const leftover = join(folder, '.site.zip.0123456789abcdef.galley-tmp')
    writeFileSync(leftover, 'half')
    expect(await run(library, file)).toMatchObject({ failure: { code: 'damaged_blob', name: 'fresh.png' } })
    expect(hashOf(file)).toBe(before)
    expect(readdirSync(folder)).toEqual(['site.zip'])
  })

  it('reports the error of the disk', async () => {
    const file = join(temporaryFolder(), 'x'.repeat(300))
    expect(await run(createFilledLibrary(), file)).toMatchObject({
      failure: { code: 'io_failed', errno: 'ENAMETOOLONG' },
    })
  })
})

describe('large ZIPs', () => {
  it('may contain more than 65,535 files', async () => {
    const path = join(temporaryFolder(), 'many.zip')
    {
      await using file = await open(path, 'wx+')
      const zip = createZip(file)
      for (let number = 0; number < 65_600; number++) await zip.add(`${number}`, 0, nothing())
      await zip.finish('galley-bundle')
    }
    if (has('python3')) expect(testByPython(path)).toBe('65600 None')
    // The directory was found and read to its end: it has no manifest.
    expect(await earlierZip(path)).toBeNull()
  })

  it('may have offsets beyond 4 GB', () => {
    const far = centralHeader({ path: 'a', offset: 2 ** 32 + 5, sizeBytes: 1, crc32: 0 })
    expect([far.readUInt32LE(42), far.readUInt16LE(30), far.readBigUInt64LE(far.length - 8)]).toEqual([
      0xffffffff,
      12,
      2n ** 32n + 5n,
    ])
    const end = endRecords({ entries: 1, offset: 2 ** 32 + 5, sizeBytes: 47 }, '')
    expect(end).toHaveLength(98)
    expect(end.readBigUInt64LE(48)).toBe(2n ** 32n + 5n)
    expect(endRecords({ entries: 1, offset: 5, sizeBytes: 47 }, '')).toHaveLength(22)
    expect(endRecords({ entries: 65_535, offset: 5, sizeBytes: 47 }, '')).toHaveLength(98)
  })
})

const hashOfText = (text: string): string => createHash('sha256').update(text).digest('hex')

async function* nothing(): AsyncIterable<Buffer> {}

function has(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)))
}

const testByPython = (file: string): string =>
  execFileSync('python3', [
    '-c',
    'import sys,zipfile;z=zipfile.ZipFile(sys.argv[1]);print(len(z.namelist()),z.testzip())',
    file,
  ])
    .toString()
    .trim()

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AdmZip from 'adm-zip'
import { describe, expect, onTestFinished, test } from 'vitest'

import type { Remark } from '../../../packages/library/records/remark.ts'
import { b, long, soundArchives, soundEntries } from '../../support/archives/accepted.ts'
import { aSave, page, saveEntries, state } from '../../support/archives/sound.ts'
import { readWithYauzl } from '../../support/unzip.ts'
import { aZip, unicodePath } from '../../support/zip.ts'
import { sha256, unpackMedia } from './fixture.ts'

/** Unpacks, and compares every media file with yauzl's result. */
async function expectSameAsYauzl(bytes: Buffer): Promise<readonly Remark[]> {
  const outcome = await unpackMedia(bytes)
  expect(outcome.failure).toBeNull()
  if (outcome.value === null) return []
  const read = await readWithYauzl(bytes)
  const media = Object.entries(read).filter(([name]) => name.startsWith('vms_media/'))
  const hashes = (files: readonly (readonly [string, Buffer])[]) =>
    Object.fromEntries(files.map(([name, data]) => [name, sha256(data)]))
  expect(hashes(Object.entries(outcome.files()))).toEqual(hashes(media.map(([name, data]) => [name.slice(10), data])))
  return outcome.value.warnings
}

describe('single entries', () => {
  test.each(soundEntries)('%s', async (_, entry) => {
    expect(await expectSameAsYauzl(aSave([entry]))).toEqual([])
  })

  test('names that differ only by case, or by their Unicode composition', async () => {
    const names = ['A.png', 'é.png'.normalize('NFC'), 'é.png'.normalize('NFD'), 'sub/a.png', 'a.png.webp']
    const more = names.map((name) => ({ name: `vms_media/${name}`, data: `content of ${name}` }))
    expect(await expectSameAsYauzl(aSave(more))).toEqual([])
  })

  test('a code page 437 name', async () => {
    const name = Buffer.from('vms_media/\x81\xe1.png', 'latin1')
    const { value } = await unpackMedia(aSave([b({ name, flags: 0 })]))
    expect(value?.media.map((file) => file.name)).toContain('üß.png')
  })

  test('UTF-8 without its flag', async () => {
    const { value } = await unpackMedia(aSave([b({ name: 'vms_media/über.png', flags: 0 })]))
    expect(value?.media.map((file) => file.name)).toContain('über.png')
  })
})

describe('names that other tools write', () => {
  const namesOf = async (bytes: Buffer): Promise<readonly string[]> => {
    const { value, failure } = await unpackMedia(bytes)
    expect([failure, value?.warnings]).toEqual([null, []])
    return (value?.media ?? []).map(({ name }) => name)
  }

  test('a dot at the front of each, and an entry for the folder itself', async () => {
    const folder = { name: './', data: '', method: 0, attributes: 0o040755 * 65536 + 0x10 }
    const dotted = saveEntries().map((entry) => ({ ...entry, name: `./${String(entry.name)}` }))
    expect(await namesOf(aZip([folder, ...dotted, { name: '././vms_media/c', data: 'c' }]))).toEqual(['a.png', 'c'])
  })

  test('a slash at the front of the archive', async () => {
    expect(await namesOf(aZip([{ name: '/', data: '', method: 0, attributes: 0x10 }, ...saveEntries()]))).toEqual([
      'a.png',
    ])
  })

  test('in code page 866, with a Unicode path', async () => {
    const header = Buffer.from('vms_media/\x94\xae\xe2\xae.png', 'latin1')
    const extra = unicodePath(header, 'vms_media/Фото.png')
    expect(await namesOf(aSave([{ name: header, flags: 0, data: 'photo', extra }]))).toContain('Фото.png')
    const question = 'vms_media/????.png'
    const asked = { name: question, flags: 0, data: 'photo', extra: unicodePath(question, './vms_media/Фото.png') }
    expect(await namesOf(aSave([asked]))).toContain('Фото.png')
  })

  test.each([
    ['for another name', unicodePath('vms_media/b', 'vms_media/c', 1)],
    ['of a later version', Buffer.from([0x75, 0x70, 6, 0, 2, 0, 0, 0, 0, 0x63])],
    ['of broken UTF-8', unicodePath('vms_media/b', Buffer.from([0xff]))],
    ['without a path', unicodePath('vms_media/b', '')],
    ['too short', Buffer.from([0x75, 0x70, 2, 0, 1, 0])],
  ])('a Unicode path %s is ignored', async (_, extra) => {
    expect(await namesOf(aSave([{ name: 'vms_media/b', data: 'b', extra }]))).toContain('b')
  })

  test('metadata that is replaced keeps the name that a Unicode path gave it', async () => {
    const metadata = { name: 'm', data: '{"token":"secret"}', extra: unicodePath('m', './metadata_json.json') }
    const { value } = await unpackMedia(aSave([metadata]))
    expect(await readWithYauzl(readFileSync(value?.kept.path ?? ''))).toHaveProperty('metadata_json.json')
  })
})

describe('whole archives', () => {
  test.each(soundArchives)('%s', async (_, archive) => {
    expect(await expectSameAsYauzl(aSave([b()], archive))).toEqual([])
  })

  test('an archive within the archive, stored at its end', async () => {
    const inner = aSave([], { comment: Buffer.from('inner') })
    expect(await expectSameAsYauzl(aSave([b({ name: 'vms_media/inner.zip', data: inner, method: 0 })]))).toEqual([])
  })

  test('5,000 small files', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({ name: `vms_media/${index}`, data: `content ${index}` }))
    const outcome = await unpackMedia(aSave(many))
    expect(outcome.value?.media.length).toBe(5001)
    expect(outcome.value?.blobs.every((blob) => blob.at.kind === 'packed')).toBe(true)
  })
})

const texts = { 'vms_html.html': page, 'vms_json.json': state, 'vms_media/a.png': 'the picture' }

describe('other writers', () => {
  test('adm-zip', async () => {
    const zip = new AdmZip()
    for (const [name, data] of Object.entries(texts)) zip.addFile(name, Buffer.from(data))
    zip.addFile('vms_media/Привет.bin', long)
    zip.addFile('vms_media/empty', Buffer.alloc(0))
    expect(await expectSameAsYauzl(zip.toBuffer())).toEqual([])
  })

  const python = (script: string): Buffer =>
    execFileSync('python3', ['-c', `import zipfile, io, os, sys\n${script}`], { maxBuffer: 1e8 })
  const hasPython = spawnSync('python3', ['-c', 'import zipfile']).status === 0
  const writes = `
    z.writestr('vms_html.html', ${JSON.stringify(page)})
    z.writestr('vms_json.json', ${JSON.stringify(state)})
    z.writestr('vms_media/a.png', b'the picture')
    z.writestr('vms_media/Привет.bin', os.urandom(1500000))
    z.writestr('vms_media/text.txt', 'text ' * 500000)
    z.writestr('vms_media/sub/', b'')
    z.writestr('vms_media/empty', b'')
`
  test.skipIf(!hasPython).each(['ZIP_STORED', 'ZIP_DEFLATED'])('Python zipfile, %s', async (method) => {
    const seekable = `f = io.BytesIO()\nwith zipfile.ZipFile(f, 'w', zipfile.${method}) as z:${writes}`
    expect(await expectSameAsYauzl(python(`${seekable}\nsys.stdout.buffer.write(f.getvalue())`))).toEqual([])
  })
  test.skipIf(!hasPython).each(['ZIP_STORED', 'ZIP_DEFLATED'])('Python zipfile into a pipe, %s', async (method) => {
    // Output that cannot seek gets data descriptors.
    const pipe = `class Pipe(io.RawIOBase):
  def writable(self): return True
  def write(self, data): return sys.stdout.buffer.write(data)
with zipfile.ZipFile(Pipe(), 'w', zipfile.${method}) as z:${writes}`
    expect(await expectSameAsYauzl(python(pipe))).toEqual([])
  })
  test.skipIf(!hasPython)('Python zipfile, forced Zip64', async () => {
    const forced = `f = io.BytesIO()\nwith zipfile.ZipFile(f, 'w', zipfile.ZIP_DEFLATED) as z:${writes}
    with z.open('vms_media/big', 'w', force_zip64=True) as e: e.write(b'big')
sys.stdout.buffer.write(f.getvalue())`
    expect(await expectSameAsYauzl(python(forced))).toEqual([])
  })

  const hasTar = spawnSync('bsdtar', ['--version']).status === 0
  const hasSevenZip = spawnSync('7z', ['i']).status === 0
  test.each([
    ['bsdtar --format zip .', hasTar, 'bsdtar', ['--format', 'zip', '-cf', 'out.zip', '--exclude', 'out.zip', '.']],
    ['7-Zip', hasSevenZip, '7z', ['a', '-bso0', 'out.zip', '.']],
    ['7-Zip with code page names', hasSevenZip, '7z', ['a', '-bso0', '-mcu=off', '-mcp=866', 'out.zip', '.']],
  ] as const)('%s', async (_, isThere, program, args) => {
    if (!isThere) return
    const folder = mkdtempSync(join(tmpdir(), 'galley-zip-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, 'vms_media/sub'), { recursive: true })
    for (const [name, data] of Object.entries(texts)) writeFileSync(join(folder, name), data)
    writeFileSync(join(folder, 'vms_media/sub/long.bin'), long)
    writeFileSync(join(folder, 'vms_media/Привет.txt'), 'text')
    expect(spawnSync(program, args, { cwd: folder }).status).toBe(0)
    const { value, failure } = await unpackMedia(readFileSync(join(folder, 'out.zip')))
    expect([failure, value?.warnings]).toEqual([null, []])
    expect(value?.media.map(({ name }) => name).toSorted()).toEqual(['a.png', 'sub/long.bin', 'Привет.txt'])
  })

  const hasZip = spawnSync('zip', ['-v']).status === 0
  test.skipIf(!hasZip).each([[[]], [['-0']], [['-fz']], [['-fd']], [['-X']], [['-UN=UTF8']], [['-D']]])(
    'Info-ZIP zip %s',
    async (flags) => {
      const folder = mkdtempSync(join(tmpdir(), 'galley-zip-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      mkdirSync(join(folder, 'vms_media/sub'), { recursive: true })
      for (const [name, data] of Object.entries(texts)) writeFileSync(join(folder, name), data)
      writeFileSync(join(folder, 'vms_media/Привет.txt'), 'text '.repeat(400_000))
      writeFileSync(join(folder, 'vms_media/sub/long.bin'), long)
      writeFileSync(join(folder, 'vms_media/empty'), '')
      const made = spawnSync('zip', ['-q', '-r', ...flags, 'out.zip', '.'], { cwd: folder })
      expect(made.status).toBe(0)
      expect(await expectSameAsYauzl(readFileSync(join(folder, 'out.zip')))).toEqual([])
      // In a pipe, sizes are unknown when the header is written. With -fz, zip then writes what unzip cannot read.
      if (flags[0] === '-fz') return
      rmSync(join(folder, 'out.zip'))
      const piped = spawnSync('zip', ['-q', '-r', ...flags, '-', '.'], { cwd: folder, maxBuffer: 1e8 })
      expect(piped.status).toBe(0)
      expect(await expectSameAsYauzl(piped.stdout)).toEqual([])
    },
  )
})

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import AdmZip from 'adm-zip'
import { describe, expect, it } from 'vitest'

import { copyVersion, writeEvidence, writeWacz } from '../../../packages/sites/copies/index.ts'
import type { MaterialId, VersionId } from '../../../packages/wire/index.ts'
import { aFontsSave, aSave, createTestGalley, temporaryFolder } from '../../support/test-galley.ts'

const versionId = '00000000-0000-4000-8000-000000000001' as VersionId
const materialId = 'page/1 ü' as MaterialId
const facts = { title: 'Harbour', language: 'en', software: 'Galley 0.1.0' }
const email = 'writer@example.org'

/** A site with fonts, and a saved page with two pictures, one of which only a style sheet names. */
async function aSavedPage() {
  const galley = await createTestGalley()
  await galley.know(materialId)
  const fonts = aFontsSave(galley.service, 'snap-1', {
    'vms_fonts.css': '@font-face{font-family:a;src:url(dummy-a.woff2)}',
    'vms_fonts.json': '{}',
    'vms_fonts/a.woff2': 'wOF2 font',
  })
  expect((await galley.post(fonts.body, fonts.headers)).json.rc).toBe(1)
  const save = aSave(galley.service, {
    materialId,
    versionId,
    html: '<link rel="stylesheet" href="dummy-look.css"><h1>Harbour</h1><img src="dummy-one.png" alt="">',
    files: { 'one.png': 'first picture', 'two.png': 'second picture', 'look.css': '.a{background:url(dummy-two.png)}' },
    metadata: { user_email: email, user_ip: '203.0.113.7' },
  })
  expect((await galley.post(save.body, save.headers)).json.rc).toBe(1)
  const { index } = galley.galley
  const site = index.sites.find('acme')
  if (site === null) throw new Error('The site is missing')
  const copied = await copyVersion(galley.galley, site, { materialId, versionId })
  if (!copied.ok) throw new Error(JSON.stringify(copied.failure))
  return { galley: galley.galley, library: galley.folder, site, copy: copied.value, folder: await temporaryFolder() }
}

const hash = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

const entriesOf = (file: string) =>
  new Map(new AdmZip(file).getEntries().map((entry) => [entry.entryName, entry.getData()]))

const textOf = (entries: ReadonlyMap<string, Buffer>, path: string): string => entries.get(path)?.toString() ?? ''

/** A record of a WARC, by the standard: headers, an empty line, and as many bytes as its length says. */
function recordAt(warc: Buffer, offset: number) {
  const end = warc.indexOf('\r\n\r\n', offset)
  const [first, ...lines] = warc.subarray(offset, end).toString().split('\r\n')
  const headers = new Map(lines.map((line) => [line.split(': ')[0] ?? '', line.slice(line.indexOf(': ') + 2)] as const))
  const content = warc.subarray(end + 4, end + 4 + Number(headers.get('Content-Length')))
  const body = content.subarray(content.indexOf('\r\n\r\n') + 4)
  const next = end + 4 + content.length + 4
  return { first, headers, content, body, next, end: warc.subarray(next - 4, next).toString() }
}

describe('a web archive of a version', () => {
  it('holds the page and every file that it shows, at the addresses of the index', async () => {
    const { copy, folder } = await aSavedPage()
    const file = join(folder, 'page.wacz')
    const written = await writeWacz(file, copy, facts)
    expect(written).toEqual({
      ok: true,
      value: { file, bytes: (await readFile(file)).length, sha256: hash(await readFile(file)) },
    })

    const entries = entriesOf(file)
    const warc = entries.get('archive/data.warc') ?? Buffer.alloc(0)
    const index = textOf(entries, 'indexes/index.cdx')
      .trimEnd()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line.slice(line.indexOf('{'))) as { url: string; offset: number; length: number; mime: string },
      )
    const bodies = new Map<string, string>()
    for (const { url, offset, length, mime } of index) {
      const { first, headers, body, content, next } = recordAt(warc, offset)
      expect([first, headers.get('WARC-Target-URI'), next - offset]).toEqual(['WARC/1.1', url, length])
      expect(headers.get('WARC-Payload-Digest')).toBe(`sha256:${hash(body)}`)
      expect(content.toString()).toContain(`Content-Type: ${mime}`)
      bodies.set(url.slice(url.lastIndexOf('/') + 1), body.toString())
    }
    expect([...bodies.keys()].toSorted()).toEqual(
      [versionId, 'a.woff2', 'look.css', 'one.png', 'two.png', 'vms_fonts.css'].toSorted(),
    )
    expect(bodies.get('two.png')).toBe('second picture')
    expect(bodies.get(versionId)).toContain('<h1>Harbour</h1>')

    const everyRecord: string[] = []
    for (let at = 0; at < warc.length;) {
      const record = recordAt(warc, at)
      expect(record.end).toBe('\r\n\r\n')
      everyRecord.push(record.headers.get('WARC-Type') ?? '')
      at = record.next
    }
    expect(everyRecord).toEqual(['warcinfo', ...index.map(() => 'response')])
  })

  it('is described by the hashes of its parts, and by its page', async () => {
    const { copy, folder } = await aSavedPage()
    const file = join(folder, 'page.wacz')
    await writeWacz(file, copy, facts)
    const entries = entriesOf(file)
    const description = JSON.parse(textOf(entries, 'datapackage.json')) as {
      resources: { path: string; hash: string; bytes: number }[]
      mainPageUrl: string
    }
    expect(description.resources.map(({ path, hash: named, bytes }) => [path, named, bytes])).toEqual(
      ['archive/data.warc', 'indexes/index.cdx', 'pages/pages.jsonl'].map((path) => {
        const bytes = entries.get(path) ?? Buffer.alloc(0)
        return [path, `sha256:${hash(bytes)}`, bytes.length]
      }),
    )
    expect(JSON.parse(textOf(entries, 'datapackage-digest.json'))).toEqual({
      path: 'datapackage.json',
      hash: `sha256:${hash(textOf(entries, 'datapackage.json'))}`,
    })
    const [, page] = textOf(entries, 'pages/pages.jsonl').split('\n')
    expect(JSON.parse(page ?? '')).toMatchObject({ url: description.mainPageUrl, title: 'Harbour' })
  })

  it('says nothing about persons, and is the same each time', async () => {
    const { copy, folder } = await aSavedPage()
    const files = ['one', 'two'].map((name) => join(folder, `${name}.wacz`))
    for (const file of files) await writeWacz(file, copy, facts)
    const [one, two] = await Promise.all(files.map((file) => readFile(file)))
    expect(one?.equals(two ?? Buffer.alloc(0))).toBe(true)
    for (const word of [email, '203.0.113.7']) expect(one?.includes(word)).toBe(false)
  })
})

const run = promisify(execFile)

/** The exit code and the output of the checker in Node. */
const checked = (folder: string, args: readonly string[] = []) =>
  run(process.execPath, [join(folder, 'check.mjs'), ...args]).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, said: stdout + stderr }),
  )

async function evidenceOf(withNames: boolean) {
  const { galley, site, copy, folder } = await aSavedPage()
  const verdict = {
    decision: 'approved',
    by: 'Ada Weber',
    at: '2026-02-01T10:00:00.000Z',
    reason: 'as agreed',
    baseline: null,
  } as const
  const decisions = [{ ...verdict, versionId, number: 1 }]
  const file = join(folder, 'evidence.zip')
  const written = await writeEvidence(file, copy, { site, ...facts, decisions, withNames, at: galley.now() })
  if (!written.ok) throw new Error(JSON.stringify(written.failure))
  const unpacked = join(folder, 'unpacked')
  for (const [path, bytes] of entriesOf(file)) {
    await mkdir(join(unpacked, path, '..'), { recursive: true })
    await writeFile(join(unpacked, path), bytes)
  }
  return { file, folder, unpacked, written: written.value }
}

describe('an evidence pack', () => {
  it('is checked by Node as a file and as a folder', async () => {
    const { file, unpacked, written } = await evidenceOf(true)
    const whole = await checked(unpacked, [file])
    expect(whole.code, whole.said).toBe(0)
    expect(whole.said).toContain(`SHA-256 of the ZIP file: ${written.sha256}`)
    expect(whole.said).toContain('Version 1: approved, 2026-02-01T10:00:00.000Z, Ada Weber: as agreed')
    const folder = await checked(unpacked)
    expect(folder.code, folder.said).toBe(0)
    expect(folder.said).toContain('All 9 files are those that the manifest names.')
    expect(await readFile(join(unpacked, 'page.html'), 'utf8')).not.toContain('<!doctype')
  })

  it('shows what was changed, removed or added', async () => {
    const { unpacked } = await evidenceOf(false)
    const picture = (await readdir(join(unpacked, 'files'))).find((name) => name.endsWith('.png')) ?? ''
    await writeFile(join(unpacked, 'page.html'), 'another page')
    await rm(join(unpacked, 'files', picture))
    await writeFile(join(unpacked, 'files', 'new.png'), 'new')
    const { code, said } = await checked(unpacked)
    expect(code).toBe(1)
    for (const line of ['page.html was changed.', `files/${picture} is missing.`, 'files/new.png was added.'])
      expect(said).toContain(line)
  })

  it.each([
    ['a byte of the page', (bytes: Buffer) => bytes.writeUInt8(0x2a, bytes.indexOf('<h1>Harbour') + 1)],
    ['a byte of a picture', (bytes: Buffer) => bytes.writeUInt8(0x2a, bytes.indexOf('second picture'))],
    ['the name of a file', (bytes: Buffer) => bytes.writeUInt8(0x2a, bytes.lastIndexOf('page.html'))],
    ['the directory', (bytes: Buffer) => bytes.writeUInt8(0x2a, bytes.lastIndexOf('PK\u0001\u0002') + 1)],
  ])('shows that %s of the ZIP was changed', async (_what, change) => {
    const { file, unpacked } = await evidenceOf(false)
    const bytes = await readFile(file)
    change(bytes)
    await writeFile(file, bytes)
    const { code, said } = await checked(unpacked, [file])
    expect(code, said).toBe(1)
  })

  it('names persons only if it is asked to, and no address of them', async () => {
    for (const withNames of [false, true]) {
      const { file } = await evidenceOf(withNames)
      const bytes = await readFile(file)
      expect(bytes.includes('Ada Weber')).toBe(withNames)
      for (const word of [email, '203.0.113.7']) expect(bytes.includes(word)).toBe(false)
    }
  })
})

describe('a copy', () => {
  it('replaces nothing, and is not put into a library', async () => {
    const { library, copy, folder } = await aSavedPage()
    const file = join(folder, 'page.wacz')
    await writeFile(file, 'mine')
    expect(await writeWacz(file, copy, facts)).toMatchObject({
      ok: false,
      failure: { code: 'not_ours', problem: { code: 'destination_exists' } },
    })
    expect(await readFile(file, 'utf8')).toBe('mine')
    expect(await writeWacz(join(library, 'page.wacz'), copy, facts)).toMatchObject({
      failure: { code: 'not_ours', problem: { code: 'destination_in_library' } },
    })
  })

  it('is not written if a stored file is damaged, and leaves nothing', async () => {
    const { galley, copy, folder } = await aSavedPage()
    const picture = copy.files.find(({ name }) => name === 'two.png')
    const place = picture && galley.index.blobs.find(picture.sha256)
    if (!place) throw new Error('The picture is missing')
    const { path, offset } = await galley.vault.locate(place)
    const bytes = await readFile(path)
    bytes.write('2nd', offset)
    await writeFile(path, bytes)
    expect(await writeWacz(join(folder, 'page.wacz'), copy, facts)).toMatchObject({
      failure: { code: 'damaged_blob', name: 'two.png', problem: 'altered' },
    })
    expect(await readdir(folder)).toEqual([])
  })
})

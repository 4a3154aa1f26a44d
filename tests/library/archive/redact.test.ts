import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

import { remarkSentence } from '../../../packages/library/records/remark.ts'
import { aSave, saveEntries } from '../../support/archives/sound.ts'
import { readWithYauzl } from '../../support/unzip.ts'
import type { TestArchive, TestEntry } from '../../support/zip.ts'
import { aZip } from '../../support/zip.ts'
import { sha256, unpackFonts, unpackMedia } from './fixture.ts'

const credentials = '{"version_id":"v1","webhook_auth_user":"galley","deep":[{"webhook_auth_password":"hunter2"}]}'
const redacted = '{"version_id":"v1","deep":[{}]}'
const metadata = (more: Partial<TestEntry> = {}): TestEntry => ({
  name: 'metadata_json.json',
  data: credentials,
  ...more,
})
const b: TestEntry = { name: 'vms_media/b.bin', data: 'content '.repeat(5000), descriptor: 'signed' }

/** The kept archive is a copy without credentials that every reader accepts, and otherwise equals the received one. */
async function expectRedacted(bytes: Buffer, expected = redacted): Promise<Buffer> {
  const { value, failure } = await unpackMedia(bytes)
  expect(failure).toBeNull()
  if (value === null) throw new Error('Refused')
  const { kept } = value
  expect(kept.path).toMatch(/kept\.zip$/)
  const copy = readFileSync(kept.path)
  expect(kept).toMatchObject({ sha256: sha256(copy), sizeBytes: copy.length })
  const received = await readWithYauzl(bytes)
  expect(await readWithYauzl(copy)).toEqual({ ...received, 'metadata_json.json': Buffer.from(expected) })
  if (spawnSync('unzip', ['-v']).status === 0) expect(spawnSync('unzip', ['-t', kept.path]).status).toBe(0)
  const again = await unpackMedia(copy)
  expect(again.failure).toBeNull()
  expect(again.value?.kept.sha256).toBe(kept.sha256)
  return copy
}

describe('an archive with callback credentials', () => {
  const places: readonly (readonly [string, readonly TestEntry[]])[] = [
    ['first', [metadata(), ...saveEntries(b)]],
    ['in the middle', [...saveEntries(), metadata(), b]],
    ['last', saveEntries(b, metadata())],
    ['stored', saveEntries(metadata({ method: 0 }), b)],
    ['with a descriptor', saveEntries(metadata({ descriptor: 'signed' }), b)],
    ['with Zip64 figures', saveEntries(metadata({ zip64: true }), { ...b, zip64: true, descriptor: 'signed64' })],
    ['with a comment of its own', saveEntries(metadata({ central: { comment: 'webhook_auth_user' } }), b)],
    ['with extra fields of its own', saveEntries(metadata({ extra: Buffer.from([0x55, 0x54, 1, 0, 3]) }), b)],
    ['without the UTF-8 flag', saveEntries(metadata({ flags: 0 }), b)],
    ['among folders', saveEntries({ name: 'vms_media/sub/' }, metadata(), b)],
  ]
  test.each(places)('metadata %s', async (_, entries) => {
    await expectRedacted(aZip(entries))
  })
  const ends: readonly (readonly [string, TestArchive])[] = [
    ['a comment', { comment: Buffer.from('made by hand') }],
    ['Zip64 ends', { zip64: true }],
    ['Zip64 ends and a comment', { zip64: true, comment: Buffer.from('made by hand') }],
    ['Zip64 ends that repeat the figures', { zip64: true, end: { entries: 5, here: 5 } }],
  ]
  test.each(ends)('with %s', async (_, archive) => {
    await expectRedacted(aSave([metadata(), b], archive))
  })

  test('is kept without any byte of them, and with all other local records unchanged', async () => {
    const secret = 'S3CRET-that-does-not-compress-9f8e7d'
    const bytes = aSave([b, metadata({ data: `{"webhook_auth_password":"${secret}"}`, method: 0 })])
    const copy = await expectRedacted(bytes, '{}')
    expect(bytes.includes(secret)).toBe(true)
    expect(copy.includes(secret)).toBe(false)
    const before = bytes.indexOf('metadata_json.json') - 30
    expect(copy.subarray(0, before).equals(bytes.subarray(0, before))).toBe(true)
  })

  test('is redacted for fonts too', async () => {
    const bytes = aZip([{ name: 'vms_fonts.css', data: '' }, metadata()])
    const { value } = await unpackFonts(bytes)
    const copy = readFileSync(value?.kept.path ?? '')
    expect((await readWithYauzl(copy))['metadata_json.json']?.toString()).toBe(redacted)
  })

  test('returns metadata without them', async () => {
    const { value } = await unpackMedia(aSave([metadata()]))
    expect(value?.metadata).toBe(redacted)
  })
})

describe('an archive without callback credentials', () => {
  const plain = '{ "version_id" : "v1", "n": 12345678901234567890 }'
  test('is kept unchanged', async () => {
    for (const entry of [metadata({ data: plain }), b]) {
      const bytes = aSave([entry])
      const { value, stagingDir } = await unpackMedia(bytes)
      expect(value?.kept).toEqual({
        path: `${stagingDir}/received.zip`,
        sha256: sha256(bytes),
        sizeBytes: bytes.length,
      })
    }
  })
  test('returns metadata unchanged', async () => {
    expect((await unpackMedia(aSave([metadata({ data: plain })]))).value?.metadata).toBe(plain)
    expect((await unpackMedia(aSave())).value?.metadata).toBeNull()
  })
})

describe('invalid metadata', () => {
  test.each([
    ['not JSON', '{"webhook_auth_user":"galley"', /not JSON/],
    ['empty', '', /not JSON/],
    ['not UTF-8', Buffer.from('{"webhook_auth_user":"\xff"}', 'latin1'), /not UTF-8/],
    ['UTF-16', Buffer.from('\ufeff{"webhook_auth_user":"galley"}', 'utf16le'), /not UTF-8/],
  ])('%s: a warning, and nothing of them is kept', async (_, data, words) => {
    const { value } = await unpackMedia(aSave([metadata({ data })]))
    expect(value?.metadata).toBeNull()
    expect(value?.warnings.map(remarkSentence).join()).toMatch(words)
    const copy = await readWithYauzl(readFileSync(value?.kept.path ?? ''))
    expect(copy['metadata_json.json']?.toString()).toBe('{}')
  })
  test('not an object: a warning, and credentials are still found', async () => {
    const { value } = await unpackMedia(aSave([metadata({ data: '[{"webhook_auth_user":"galley"}]' })]))
    expect(value?.metadata).toBeNull()
    expect(value?.warnings.map(remarkSentence).join()).toMatch(/does not contain an object/)
    const copy = await readWithYauzl(readFileSync(value?.kept.path ?? ''))
    expect(copy['metadata_json.json']?.toString()).toBe('[{}]')
  })
  test('after a byte order mark: used without it', async () => {
    const { value } = await unpackMedia(aSave([metadata({ data: `\ufeff${credentials}` })]))
    expect(value?.metadata).toBe(redacted)
    const copy = await readWithYauzl(readFileSync(value?.kept.path ?? ''))
    expect(copy['metadata_json.json']?.toString()).toBe(`\ufeff${redacted}`)
  })
})

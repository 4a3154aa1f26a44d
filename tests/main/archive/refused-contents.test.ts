import { randomBytes } from 'node:crypto'
import { constants, deflateRawSync } from 'node:zlib'

import { describe, test } from 'vitest'

import { archiveLimits } from '../../../src/contract/archive.ts'
import type { TestEntry } from '../../support/zip.ts'
import { aZip, extraField } from '../../support/zip.ts'
import { aSave } from './fixture.ts'
import { expectRefused, media } from './refused.ts'

/** Deflated zeros, 64 MB in 64 KB each time. */
function bomb(times: number): Buffer {
  const part = deflateRawSync(Buffer.alloc(64e6), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat(Array.from({ length: times }, () => part))
}

describe('contents', () => {
  const big = randomBytes(1_500_000)
  const damaged: readonly (readonly [string, Partial<TestEntry>, RegExp])[] = [
    ['a wrong checksum, stored', { method: 0, local: { crc: 5 }, central: { crc: 5 } }, /checksum/],
    ['a wrong checksum, deflated', { local: { crc: 5 }, central: { crc: 5 } }, /checksum/],
    ['broken deflate', { raw: Buffer.from([0xff, 0xff, 0xff]) }, /broken/],
    ['deflate without an end', { data: 'abcdefgh', raw: deflateRawSync('abcdefgh').subarray(0, -2) }, /broken/],
    ['bytes behind the end of deflate', { raw: Buffer.concat([deflateRawSync('x'), Buffer.from('more')]) }, /broken/],
    ['longer than declared', { raw: deflateRawSync('xx') }, /broken/],
    ['shorter than declared', { data: 'xyz', raw: deflateRawSync('x') }, /broken/],
  ]
  test.each(damaged)('%s', (_, more, words) => expectRefused(aSave([media('vms_media/b', more)]), words))

  const streamed: readonly (readonly [string, Partial<TestEntry>, RegExp])[] = [
    ['a wrong checksum, stored', { method: 0, local: { crc: 5 }, central: { crc: 5 } }, /checksum/],
    ['a wrong checksum, deflated', { local: { crc: 5 }, central: { crc: 5 } }, /checksum/],
    [
      'broken deflate',
      { raw: Buffer.concat([deflateRawSync(big).subarray(0, 900_000), Buffer.alloc(300_000, 0xff)]) },
      /broken/,
    ],
    ['deflate without an end', { raw: deflateRawSync(big).subarray(0, -2) }, /broken|not as long/],
    ['bytes behind the end of deflate', { raw: Buffer.concat([deflateRawSync(big), Buffer.from('more')]) }, /broken/],
    ['much behind the end of deflate', { raw: Buffer.concat([deflateRawSync(big), big]) }, /broken/],
    ['longer than declared', { raw: deflateRawSync(Buffer.concat([big, Buffer.from('x')])) }, /not as long/],
    ['shorter than declared', { raw: deflateRawSync(big.subarray(1)) }, /not as long/],
  ]
  test.each(streamed)('large: %s', (_, more, words) =>
    expectRefused(aSave([media('vms_media/b', { data: big, ...more })]), words),
  )

  // Both take milliseconds, or many times the limit when the reader only notices at the end.
  test('a bomb', { timeout: 5000 }, () =>
    expectRefused(aSave([media('vms_media/b', { data: 'x', raw: bomb(15) })]), /broken/),
  )
  test('large: a bomb', { timeout: 5000 }, () =>
    expectRefused(aSave([media('vms_media/b', { data: big, raw: bomb(1000) })]), /not as long/),
  )

  test('damage in what is not stored', () =>
    expectRefused(aSave([media('notes.txt', { local: { crc: 5 }, central: { crc: 5 } })]), /checksum/))
})

describe('sizes, before anything is unpacked', () => {
  test('too many files', async () => {
    const limits = { ...archiveLimits, entries: 3 }
    await expectRefused(aSave([media('vms_media/b')]), /number of its files/, 'content_too_large', limits)
    await expectRefused(aSave([], { end: { entries: 60_000, here: 60_000 } }), /number/, 'content_too_large')
    await expectRefused(
      aSave([], { zip64: true, end64: { entries: 2 ** 40, here: 2 ** 40 } }),
      /number/,
      'content_too_large',
    )
  })
  test('one too large', () => {
    const sizes = { size: 600 * 1024 ** 2 }
    return expectRefused(
      aSave([media('vms_media/b', { local: sizes, central: sizes })]),
      /vms_media/,
      'content_too_large',
    )
  })
  test('together too large', () => {
    const sizes = { size: 400 * 1024 ** 2 }
    const bombs = ['1', '2', '3'].map((name) => media(`vms_media/${name}`, { local: sizes, central: sizes }))
    return expectRefused(aSave(bombs), /unpacks to/, 'content_too_large')
  })
  test('a text too large', async () => {
    const limits = { ...archiveLimits, textBytes: 30 }
    await expectRefused(aSave(), /vms_html/, 'content_too_large', limits)
    const metadata = { name: 'metadata_json.json', data: `{"a":"${'x'.repeat(100)}"}` }
    await expectRefused(aSave([metadata]), /metadata_json/, 'content_too_large', { ...archiveLimits, textBytes: 60 })
  })
  test('Zip64 sizes beyond everything', () => {
    const extra = extraField(1, Buffer.alloc(24, 0xff))
    return expectRefused(
      aSave([media('vms_media/b', { zip64: true, central: { extra } })]),
      /vms_media/,
      'content_too_large',
    )
  })
})

describe('page and state', () => {
  const texts: readonly (readonly [string, readonly TestEntry[], RegExp])[] = [
    ['no page', [{ name: 'vms_json.json', data: '{}' }], /no vms_html/],
    ['no state', [{ name: 'vms_html.html', data: '' }], /no vms_json/],
    ['only folders of their names', [{ name: 'vms_html.html/' }, { name: 'vms_json.json/' }], /no vms_html/],
    ['other case', [{ name: 'VMS_HTML.HTML' }, { name: 'vms_json.json', data: '{}' }], /no vms_html/],
    ['nothing at all', [], /no vms_html/],
  ]
  test.each(texts)('%s', (_, entries, words) => expectRefused(aZip(entries), words))

  test.each([
    ['not JSON', 'not json', /vms_json.json cannot be read/],
    ['empty', '', /vms_json.json cannot be read/],
    ['a list', '[]', /not an object/],
    ['with a byte order mark', '\ufeff{}', /byte order mark/],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /not UTF-8/],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), /not UTF-8/],
  ])('a state that is %s', (_, data, words) => expectRefused(aSave([{ name: 'vms_json.json', data }]), words))

  test('a page that is not UTF-8', () =>
    expectRefused(aSave([{ name: 'vms_html.html', data: Buffer.from([0x3c, 0xe4, 0x3e]) }]), /not UTF-8/))
  test('an asset without a file', () => {
    const data = '{"assets":{"lost.png":{"clientUrl":"dummy-lost.png"}}}'
    return expectRefused(aSave([{ name: 'vms_json.json', data }]), /lost.png/, 'missing_asset')
  })
})

import { randomBytes } from 'node:crypto'
import { constants, deflateRawSync } from 'node:zlib'

import type { TestEntry } from '../zip.ts'
import { aZip, extraField } from '../zip.ts'
import type { HostileArchive } from './hostile.ts'
import { media, refused, refusedBytes } from './hostile.ts'
import { aSave } from './sound.ts'

const big = randomBytes(1_500_000)

/** Deflated zeros, 64 MB in 64 KB each. */
function bomb(times: number): Buffer {
  const part = deflateRawSync(Buffer.alloc(64e6), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat(Array.from({ length: times }, () => part))
}

const damaged: readonly (readonly [string, Partial<TestEntry>, RegExp])[] = [
  ['a wrong checksum, stored', { method: 0, local: { crc: 5 }, central: { crc: 5 } }, /checksum/],
  ['a wrong checksum, deflated', { local: { crc: 5 }, central: { crc: 5 } }, /checksum/],
  ['broken deflate', { raw: Buffer.from([0xff, 0xff, 0xff]) }, /corrupt/],
  ['deflate without an end', { data: 'abcdefgh', raw: deflateRawSync('abcdefgh').subarray(0, -2) }, /corrupt/],
  ['bytes behind the end of deflate', { raw: Buffer.concat([deflateRawSync('x'), Buffer.from('more')]) }, /corrupt/],
  ['longer than declared', { raw: deflateRawSync('xx') }, /corrupt/],
  ['shorter than declared', { data: 'xyz', raw: deflateRawSync('x') }, /corrupt/],
]
const streamed: readonly (readonly [string, Partial<TestEntry>, RegExp])[] = [
  ['a wrong checksum, stored', { method: 0, local: { crc: 5 }, central: { crc: 5 } }, /checksum/],
  ['a wrong checksum, deflated', { local: { crc: 5 }, central: { crc: 5 } }, /checksum/],
  [
    'broken deflate',
    { raw: Buffer.concat([deflateRawSync(big).subarray(0, 900_000), Buffer.alloc(300_000, 0xff)]) },
    /corrupt/,
  ],
  ['deflate without an end', { raw: deflateRawSync(big).subarray(0, -2) }, /corrupt|not as long/],
  ['bytes behind the end of deflate', { raw: Buffer.concat([deflateRawSync(big), Buffer.from('more')]) }, /corrupt/],
  ['much behind the end of deflate', { raw: Buffer.concat([deflateRawSync(big), big]) }, /corrupt/],
  ['longer than declared', { raw: deflateRawSync(Buffer.concat([big, Buffer.from('x')])) }, /not as long/],
  ['shorter than declared', { raw: deflateRawSync(big.subarray(1)) }, /not as long/],
]
const texts: readonly (readonly [string, readonly TestEntry[], RegExp])[] = [
  ['no page', [{ name: 'vms_json.json', data: '{}' }], /no vms_html/],
  ['no state', [{ name: 'vms_html.html', data: '' }], /no vms_json/],
  ['only folders of their names', [{ name: 'vms_html.html/' }, { name: 'vms_json.json/' }], /no vms_html/],
  ['other case', [{ name: 'VMS_HTML.HTML' }, { name: 'vms_json.json', data: '{}' }], /no vms_html/],
  ['nothing at all', [], /no vms_html/],
]

const states: readonly (readonly [string, string | Buffer, RegExp])[] = [
  ['not JSON', 'not json', /vms_json.json cannot be read/],
  ['empty', '', /vms_json.json cannot be read/],
  ['a list', '[]', /not an object/],
  ['with a byte order mark', '\ufeff{}', /byte order mark/],
  ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /not UTF-8/],
  ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), /not UTF-8/],
]

/** Contents that are damaged, too large, or no page and state. */
export const hostileContents: readonly HostileArchive[] = [
  ...damaged.map(([name, more, words]) => refused(name, [media('vms_media/b', more)], words)),
  ...streamed.map(([name, more, words]) =>
    refused(`large: ${name}`, [media('vms_media/b', { data: big, ...more })], words),
  ),
  refusedBytes('a bomb', () => aSave([media('vms_media/b', { data: 'x', raw: bomb(15) })]), /corrupt/),
  refusedBytes('large: a bomb', () => aSave([media('vms_media/b', { data: big, raw: bomb(1000) })]), /not as long/),
  refused('damage in what is not stored', [media('notes.txt', { local: { crc: 5 }, central: { crc: 5 } })], /checksum/),
  refusedBytes(
    'too many files',
    () => aSave([], { end: { entries: 60_000, here: 60_000 } }),
    /number/,
    'content_too_large',
  ),
  refusedBytes(
    'too many files, Zip64',
    () => aSave([], { zip64: true, end64: { entries: 2 ** 40, here: 2 ** 40 } }),
    /number/,
    'content_too_large',
  ),
  refused('a file that is too large', [declared('1', 600)], /vms_media/, 'content_too_large'),
  refused(
    'files that are too large together',
    ['1', '2', '3'].map((name) => declared(name, 400)),
    /unpacked size/,
    'content_too_large',
  ),
  refused(
    'Zip64 sizes beyond everything',
    [media('vms_media/b', { zip64: true, central: { extra: extraField(1, Buffer.alloc(24, 0xff)) } })],
    /vms_media/,
    'content_too_large',
  ),
  ...texts.map(([name, entries, words]) => refusedBytes(name, () => aZip(entries), words)),
  ...states.map(([name, data, words]) => refused(`a state that is ${name}`, [{ name: 'vms_json.json', data }], words)),
  refused('a page that is not UTF-8', [{ name: 'vms_html.html', data: Buffer.from([0x3c, 0xe4, 0x3e]) }], /not UTF-8/),
  refused(
    'an asset without a file',
    [{ name: 'vms_json.json', data: '{"assets":{"lost.png":{"clientUrl":"dummy-lost.png"}}}' }],
    /lost.png/,
    'missing_asset',
  ),
]

/** One byte that both headers declare as this many megabytes. */
function declared(name: string, megabytes: number): TestEntry {
  const sizes = { size: megabytes * 1024 ** 2 }
  return media(`vms_media/${name}`, { local: sizes, central: sizes })
}

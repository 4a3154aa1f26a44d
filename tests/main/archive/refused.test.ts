import { randomBytes } from 'node:crypto'
import { constants, deflateRawSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { archiveLimits } from '../../../src/contract/archive.ts'
import type { TestArchive, TestEntry } from '../../support/zip.ts'
import { aZip, extraField, unicodePath } from '../../support/zip.ts'
import { aSave, saveEntries, strays, unpackMedia } from './fixture.ts'

/** Refused as `kind` with words that match, and with nothing outside of the job's folder. */
async function expectRefused(bytes: Buffer, words: RegExp, kind = 'invalid_archive', limits = archiveLimits) {
  const { failure, parent } = await unpackMedia(bytes, { limits })
  expect(failure).toMatchObject({ kind })
  expect(JSON.stringify(failure)).toMatch(words)
  expect(JSON.stringify(failure)).not.toContain(parent)
  expect(strays(parent)).toEqual([])
}

const media = (name: string | Buffer, more: Partial<TestEntry> = {}): TestEntry => ({ name, data: 'x', ...more })

describe('names', () => {
  const unsafe: readonly (readonly [string, string | Buffer, RegExp])[] = [
    ['climbing', 'vms_media/../../evil.txt', /leaves its folder/],
    ['climbing at the front', '../evil.txt', /leaves its folder/],
    ['climbing at the end', 'vms_media/..', /leaves its folder/],
    ['a dot segment', 'vms_media/./a', /leaves its folder/],
    ['percent-encoded climbing', 'vms_media/%2e%2E/evil', /leaves its folder/],
    ['percent-encoded slashes', 'vms_media/..%2f..%2fevil', /leaves its folder/],
    ['absolute', '/etc/passwd', /absolute/],
    ['a drive', 'C:/evil.txt', /absolute/],
    ['a drive without a slash', 'c:evil.txt', /absolute/],
    ['a UNC path', '\\\\host\\share\\evil', /backslash/],
    ['a UNC path with slashes', '//host/share', /absolute/],
    ['a backslash', 'vms_media\\x.png', /backslash/],
    ['NUL', 'vms_media/a.png\0.txt', /control/],
    ['a line break', 'vms_media/a\nb', /control/],
    ['ESC', 'vms_media/\u001b[2Ja', /control/],
    ['C1 controls', 'vms_media/\u009b2Ja', /control/],
    ['an empty segment', 'vms_media//a.png', /empty/],
    ['nothing', '', /empty/],
    ['only a slash', '/', /empty/],
    ['too many bytes', `vms_media/${'ü'.repeat(508)}`, /longer than 1024/],
    ['broken UTF-8', Buffer.from([0x61, 0xff, 0xfe]), /not the UTF-8/],
    ['overlong UTF-8', Buffer.from([0x2e, 0x2e, 0xc0, 0xaf]), /not the UTF-8/],
  ]
  test.each(unsafe)('%s', (_, name, words) => expectRefused(aSave([media(name)]), words))

  test('a Unicode path that names another file, or belongs to another name', async () => {
    const evil = unicodePath('vms_media/b.png', '../evil')
    await expectRefused(aSave([media('vms_media/b.png', { extra: evil })]), /extra fields/)
    const stale = unicodePath('vms_media/b.png', 'vms_media/b.png', 1)
    await expectRefused(aSave([media('vms_media/b.png', { extra: stale })]), /extra fields/)
    const onlyLocal = { extra: unicodePath('vms_media/b.png', 'vms_media/c.png') }
    await expectRefused(aSave([media('vms_media/b.png', { local: onlyLocal })]), /two different ways/)
    const twice = Buffer.concat([
      unicodePath('vms_media/b.png', 'vms_media/b.png'),
      unicodePath('vms_media/b.png', 'vms_media/b.png'),
    ])
    await expectRefused(aSave([media('vms_media/b.png', { extra: twice })]), /extra fields/)
  })

  test('the same name twice', async () => {
    await expectRefused(aZip([...saveEntries(), media('vms_media/a.png')]), /two files are named/)
    await expectRefused(aZip([...saveEntries(), { name: 'vms_json.json', data: '{}' }]), /two files are named/)
    // In code page 437 and in UTF-8 the bytes differ, the name does not.
    const cp437 = media(Buffer.from('vms_media/\x81', 'latin1'), { flags: 0 })
    await expectRefused(aSave([cp437, media('vms_media/ü')]), /two files are named/)
  })
})

describe('kinds', () => {
  const kinds: readonly (readonly [string, Partial<TestEntry>, RegExp])[] = [
    ['a symbolic link', { attributes: 0o120777 * 65536, data: '/etc/passwd' }, /link/],
    ['a link made on DOS', { attributes: 0o120777 * 65536, central: { madeBy: 20 } }, /link/],
    ['a Windows reparse point', { attributes: 0x400, central: { madeBy: 20 } }, /link/],
    ['a block device', { attributes: 0o060666 * 65536 }, /device/],
    ['a character device', { attributes: 0o020666 * 65536 }, /device/],
    ['a pipe', { attributes: 0o010666 * 65536 }, /device/],
    ['a socket', { attributes: 0o140666 * 65536 }, /device/],
    ['a folder without a slash', { attributes: 0o040755 * 65536 + 0x10 }, /folder and a file/],
    ['a DOS folder without a slash', { attributes: 0x10 }, /folder and a file/],
    ['encrypted', { flags: 0x801 }, /encrypted/],
    ['strongly encrypted', { flags: 0x840 }, /encrypted/],
    ['with masked headers', { flags: 0x2800 }, /encrypted/],
    ['patched data', { flags: 0x820 }, /patch/],
    ['bzip2', { method: 12 }, /method 12/],
    ['zstd', { method: 93 }, /method 93/],
    ['deflate64', { method: 9 }, /method 9/],
    ['WinZip AES', { method: 99 }, /method 99/],
    ['on another disk', { central: { disk: 1 } }, /another disk/],
  ]
  test.each(kinds)('%s', (_, more, words) => expectRefused(aSave([media('vms_media/b.png', more)]), words))

  test('a folder with a content', async () => {
    await expectRefused(aSave([media('vms_media/sub/', { data: 'x', method: 0 })]), /folder and a file/)
    await expectRefused(
      aSave([media('vms_media/sub/', { data: '', attributes: 0o100644 * 65536 })]),
      /folder and a file/,
    )
    const hidden = media('vms_media/sub/', { data: '', raw: deflateRawSync('hidden') })
    await expectRefused(aSave([hidden]), /broken/)
  })
})

describe('local and central headers', () => {
  const b = 'vms_media/b.png'
  const lies: readonly (readonly [string, Partial<TestEntry>])[] = [
    ['another name', { local: { name: 'vms_media/c.png' } }],
    ['a longer name', { local: { name: `${b}.exe` } }],
    ['another method', { method: 0, local: { method: 8 } }],
    ['another size', { local: { size: 2 } }],
    ['another checksum', { local: { crc: 1 } }],
    ['encrypted only locally', { local: { flags: 0x801 } }],
    ['a descriptor only locally', { local: { flags: 0x808 } }],
    ['UTF-8 only locally', { flags: 0, local: { flags: 0x800 } }],
    ['a false figure beside a descriptor', { descriptor: 'signed', local: { size: 7 } }],
    ['damaged local extra fields', { local: { extra: Buffer.from([1, 0, 200, 0]) } }],
    ['a Zip64 figure that differs', { zip64: true, local: { extra: extraField(1, Buffer.alloc(16, 1)) } }],
  ]
  test.each(lies)('%s', (_, more) => expectRefused(aSave([media(b, more)]), /two different ways/))

  test('another compressed size', () =>
    expectRefused(aSave([media(b, { local: { compressed: 1 } })]), /two different ways/))
  test('no local header', () => expectRefused(aSave([media(b, { local: { signature: 1 } })]), /no file where/))
  test('stored with two sizes', () =>
    expectRefused(aSave([media(b, { method: 0, central: { size: 100 } })]), /two different sizes/))
  test('damaged central extra fields', () =>
    expectRefused(aSave([media(b, { central: { extra: Buffer.from([1, 0, 200, 0]) } })]), /extra fields/))
  test('a figure that is nowhere', () =>
    expectRefused(aSave([media(b, { central: { size: 0xffffffff } })]), /extra fields/))
  test('two Zip64 fields', () => {
    const field = extraField(1, Buffer.alloc(24))
    return expectRefused(aSave([media(b, { zip64: true, extra: field })]), /extra fields/)
  })
  test('a descriptor that lies', async () => {
    const raw = deflateRawSync('x')
    const after = Buffer.alloc(16, 7)
    const lying = { flags: 0x808, raw, after, local: { crc: 0, size: 0, compressed: 0 } }
    await expectRefused(aSave([media(b, lying)]), /unknown follows/)
  })
})

describe('where the entries stand', () => {
  test('in front of the first one', async () => {
    await expectRefused(aSave([], { prefix: Buffer.from('#!/bin/sh\n') }), /belong to no file/)
    // The same with offsets that do not know of it, as when something was glued on.
    await expectRefused(Buffer.concat([Buffer.from('MZ junk'), aSave()]), /not where its end says/)
  })
  test('between them', () =>
    expectRefused(aSave([media('vms_media/evil.php', { hidden: true }), media('vms_media/b.png')]), /unknown follows/))
  test('behind the last one', () =>
    expectRefused(aSave([media('vms_media/evil.php', { hidden: true })]), /unknown follows/))
  test('between the last one and the directory', () =>
    expectRefused(aSave([], { beforeDirectory: Buffer.alloc(9) }), /unknown follows/))
  test('an entry that nothing precedes but bytes of nobody', () =>
    expectRefused(aZip([{ name: 'h', hidden: true }, ...saveEntries()]), /belong to no file/))

  test('on each other: many names for one content', async () => {
    const shared = Array.from({ length: 50 }, (_, index) => media(`vms_media/${index}`, { alias: true }))
    await expectRefused(aSave([media('vms_media/b.png'), ...shared]), /overlap/)
  })
  test('inside each other: a quoted overlap', async () => {
    // The first file's data are the whole second file, header included.
    const inner = aZip([media('vms_media/in.bin', { method: 0, data: Buffer.alloc(1000) })])
    const local = inner.subarray(0, 30 + 16 + 1000)
    const outer = media('vms_media/out.bin', { method: 0, data: local })
    const at = aSave([outer]).indexOf(Buffer.from('vms_media/in.bin')) - 30
    const quoted = media('vms_media/in.bin', {
      method: 0,
      data: Buffer.alloc(1000),
      alias: true,
      central: { offset: at },
    })
    await expectRefused(aSave([outer, quoted]), /overlap/)
  })
  test('into the directory', () =>
    expectRefused(aSave([media('vms_media/b.png', { method: 0, central: { size: 400, compressed: 400 } })]), /overlap/))
  test('beyond the end', () =>
    expectRefused(
      aSave([media('vms_media/b.png', { central: { offset: 0x7fffffff } })]),
      /overlap|belong to no file|follows/,
    ))
})

describe('the end', () => {
  test('nothing, a web page, another format', async () => {
    await expectRefused(Buffer.alloc(0), /not a whole ZIP/)
    await expectRefused(Buffer.from('<!doctype html><title>502 Bad Gateway</title>'), /not a whole ZIP/)
    await expectRefused(randomBytes(100_000), /not a whole ZIP/)
    await expectRefused(Buffer.from('PK\x05\x06'), /damaged/)
  })
  test('something behind it', async () => {
    await expectRefused(aSave([], { suffix: Buffer.from('x') }), /something follows/)
    await expectRefused(aSave([], { suffix: Buffer.alloc(70_000) }), /not a whole ZIP/)
    await expectRefused(aSave([], { end: { commentBytes: 5 } }), /something follows|damaged/)
  })
  test('two of them', async () => {
    const inner = aZip([{ name: 'other.txt', data: 'x' }])
    await expectRefused(Buffer.concat([aSave(), inner]), /not where its end says/)
    await expectRefused(aSave([], { comment: inner.subarray(-22) }), /more than one end/)
    await expectRefused(
      aSave([], { comment: Buffer.concat([inner.subarray(-22), Buffer.from('tail')]) }),
      /more than one end/,
    )
  })
  test('one that miscounts', async () => {
    await expectRefused(aSave([], { end: { entries: 2, here: 2 } }), /more files than/)
    await expectRefused(aSave([], { end: { entries: 4, here: 4 } }), /directory is damaged/)
    await expectRefused(aSave([], { end: { entries: 4 } }), /one part of several/)
    await expectRefused(aSave([], { end: { bytes: 1 } }), /not where its end says/)
    await expectRefused(aSave([], { end: { offset: 5 } }), /not where its end says/)
    await expectRefused(aSave([], { end: { disk: 1 } }), /one part of several/)
  })
  test('a Zip64 one that contradicts', async () => {
    const zip64 = true
    await expectRefused(aSave([], { zip64, end64: { locator: 0 } }), /locator points elsewhere/)
    await expectRefused(aSave([], { zip64, end64: { size: 100 } }), /Zip64 end record is damaged/)
    await expectRefused(aSave([], { zip64, end: { entries: 2, here: 2 } }), /disagree/)
    await expectRefused(aSave([], { zip64, end: { offset: 4 } }), /disagree/)
    await expectRefused(aSave([], { zip64, end64: { entries: 2, here: 2 } }), /more files than/)
    await expectRefused(aSave([], { zip64, end64: { offset: 2 ** 53 } }), /not where its end says/)
    const withoutLocator: TestArchive = { end: { offset: 0xffffffff, bytes: 0xffffffff } }
    await expectRefused(aSave([], withoutLocator), /not where its end says/)
  })
})

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

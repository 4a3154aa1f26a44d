import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'

import { describe, test } from 'vitest'

import type { TestArchive, TestEntry } from '../../support/zip.ts'
import { aZip, extraField } from '../../support/zip.ts'
import { aSave, saveEntries } from './fixture.ts'
import { expectRefused, media } from './refused.ts'

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

import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'

import type { TestArchive, TestEntry } from '../zip.ts'
import { aZip, extraField } from '../zip.ts'
import type { HostileArchive } from './hostile.ts'
import { escapeMarker, media, refused, refusedBytes } from './hostile.ts'
import { aSave, saveEntries } from './sound.ts'

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

const hidden = media(`vms_media/${escapeMarker}.php`, { hidden: true })
const shared = Array.from({ length: 50 }, (_, index) => media(`vms_media/${index}`, { alias: true }))
const lying = {
  flags: 0x808,
  raw: deflateRawSync('x'),
  after: Buffer.alloc(16, 7),
  local: { crc: 0, size: 0, compressed: 0 },
}
const twoFields = { zip64: true, extra: extraField(1, Buffer.alloc(24)) }

const headers: readonly HostileArchive[] = [
  ...lies.map(([name, more]) => refused(`headers: ${name}`, [media(b, more)], /two different ways/)),
  refused('headers: another compressed size', [media(b, { local: { compressed: 1 } })], /two different ways/),
  refused('headers: no local one', [media(b, { local: { signature: 1 } })], /no file where/),
  refused('headers: stored with two sizes', [media(b, { method: 0, central: { size: 100 } })], /two different sizes/),
  refused(
    'headers: damaged central extra fields',
    [media(b, { central: { extra: Buffer.from([1, 0, 200, 0]) } })],
    /extra fields/,
  ),
  refused('headers: a figure that is nowhere', [media(b, { central: { size: 0xffffffff } })], /extra fields/),
  refused('headers: two Zip64 fields', [media(b, twoFields)], /extra fields/),
  refused('headers: a descriptor that lies', [media(b, lying)], /unknown data follows/),
]

/** The first file's data is the whole second file, including its header. */
function quoted(): Buffer {
  const inner = aZip([media('vms_media/in.bin', { method: 0, data: Buffer.alloc(1000) })])
  const local = inner.subarray(0, 30 + 16 + 1000)
  const outer = media('vms_media/out.bin', { method: 0, data: local })
  const at = aSave([outer]).indexOf(Buffer.from('vms_media/in.bin')) - 30
  return aSave([
    outer,
    media('vms_media/in.bin', { method: 0, data: Buffer.alloc(1000), alias: true, central: { offset: at } }),
  ])
}

const places: readonly HostileArchive[] = [
  refusedBytes('something in front', () => aSave([], { prefix: Buffer.from('#!/bin/sh\n') }), /belongs to no file/),
  // The same with offsets that ignore it, as after bytes were prepended.
  refusedBytes(
    'something glued on',
    () => Buffer.concat([Buffer.from('MZ junk'), aSave()]),
    /not where its end record says/,
  ),
  refused('something between', [hidden, media(b)], /unknown data follows/),
  refused('something behind the last one', [hidden], /unknown data follows/),
  refusedBytes(
    'something before the directory',
    () => aSave([], { beforeDirectory: Buffer.alloc(9) }),
    /unknown data follows/,
  ),
  refusedBytes(
    'a first entry that nobody lists',
    () => aZip([{ name: 'h', hidden: true }, ...saveEntries()]),
    /belongs to no file/,
  ),
  refused('many names for one content', [media(b), ...shared], /overlap/),
  refusedBytes('a quoted overlap', quoted, /overlap/),
  refused('into the directory', [media(b, { method: 0, central: { size: 400, compressed: 400 } })], /overlap/),
  refused('beyond the end', [media(b, { central: { offset: 0x7fffffff } })], /overlap|belong to no file|follows/),
]

const inner = aZip([{ name: 'other.txt', data: 'x' }])
const end = (name: string, archive: TestArchive, words: RegExp): HostileArchive =>
  refusedBytes(`end: ${name}`, () => aSave([], archive), words)
const zip64 = true

const ends: readonly HostileArchive[] = [
  refusedBytes('end: nothing at all', () => Buffer.alloc(0), /not a complete ZIP/),
  refusedBytes(
    'end: a web page',
    () => Buffer.from('<!doctype html><title>502 Bad Gateway</title>'),
    /not a complete ZIP/,
  ),
  refusedBytes('end: another format', () => randomBytes(100_000), /not a complete ZIP/),
  refusedBytes('end: four bytes of one', () => Buffer.from('PK\x05\x06'), /damaged/),
  end('something behind it', { suffix: Buffer.from('x') }, /something follows/),
  end('much behind it', { suffix: Buffer.alloc(70_000) }, /not a complete ZIP/),
  end('a comment that is not there', { end: { commentBytes: 5 } }, /something follows|damaged/),
  refusedBytes('end: two archives', () => Buffer.concat([aSave(), inner]), /not where its end record says/),
  end('two of them', { comment: inner.subarray(-22) }, /more than one end/),
  end(
    'two of them, and more',
    { comment: Buffer.concat([inner.subarray(-22), Buffer.from('tail')]) },
    /more than one end/,
  ),
  end('too few files', { end: { entries: 2, here: 2 } }, /too many files/),
  end('too many files', { end: { entries: 4, here: 4 } }, /directory is damaged/),
  end('files elsewhere', { end: { entries: 4 } }, /multi-part archive/),
  end('too few bytes', { end: { bytes: 1 } }, /not where its end record says/),
  end('another offset', { end: { offset: 5 } }, /not where its end record says/),
  end('another disk', { end: { disk: 1 } }, /multi-part archive/),
  end('a locator to nowhere', { zip64, end64: { locator: 0 } }, /locator points elsewhere/),
  end('a Zip64 one of another size', { zip64, end64: { size: 100 } }, /Zip64 end record is damaged/),
  end('two that disagree on files', { zip64, end: { entries: 2, here: 2 } }, /contradict/),
  end('two that disagree on the offset', { zip64, end: { offset: 4 } }, /contradict/),
  end('too few files, Zip64', { zip64, end64: { entries: 2, here: 2 } }, /too many files/),
  end('an offset beyond numbers', { zip64, end64: { offset: 2 ** 53 } }, /not where its end record says/),
  end('no locator', { end: { offset: 0xffffffff, bytes: 0xffffffff } }, /not where its end record says/),
]

/** Archives whose parts contradict each other, or that contain more than they list. */
export const hostileStructure: readonly HostileArchive[] = [...headers, ...places, ...ends]

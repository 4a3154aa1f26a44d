import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'

import type { TestArchive, TestEntry } from '../zip.ts'
import { unicodePath } from '../zip.ts'

/** An entry of a valid save, in the form under test. */
export const b = (more: Partial<TestEntry> = {}): TestEntry => ({ name: 'vms_media/b.bin', data: 'content', ...more })
/** Longer than what is unpacked at once. */
export const long = randomBytes(1_400_000)

/** Entries that a save may contain, with any tool that writes archives. */
export const soundEntries: readonly (readonly [string, TestEntry])[] = [
  ['stored', b({ method: 0 })],
  ['deflated', b()],
  ['empty, stored', b({ data: '', method: 0 })],
  ['empty, deflated', b({ data: '' })],
  ['large, stored', b({ data: long, method: 0 })],
  ['large, deflated', b({ data: long })],
  ['large and of one byte', b({ data: Buffer.alloc(3_000_000, 'a') })],
  ['over the pack, under the stream', b({ data: long.subarray(0, 200_000) })],
  ['with a descriptor', b({ descriptor: 'plain' })],
  ['with a signed descriptor', b({ descriptor: 'signed' })],
  ['with a wide descriptor', b({ descriptor: 'plain64' })],
  ['with a wide signed descriptor', b({ descriptor: 'signed64' })],
  ['stored with a descriptor', b({ descriptor: 'signed', method: 0 })],
  ['large with a descriptor', b({ data: long, descriptor: 'signed' })],
  ['Zip64', b({ zip64: true })],
  ['Zip64 with a descriptor', b({ zip64: true, descriptor: 'signed64' })],
  ['deflated worse than stored', b({ data: 'ab', raw: deflateRawSync('ab', { level: 0 }) })],
  ['in a sub-folder', b({ name: 'vms_media/sub/folder/b.bin' })],
  ['a folder', b({ name: 'vms_media/sub/', data: '', attributes: 0o040755 * 65536 + 0x10 })],
  ['a stored folder', b({ name: 'vms_media/sub/', data: '', method: 0 })],
  ['two dots in a name', b({ name: 'vms_media/wow..png' })],
  ['three dots', b({ name: 'vms_media/...' })],
  ['a name of dots in front', b({ name: 'vms_media/..png' })],
  ['a percent sign', b({ name: 'vms_media/100%2e.png' })],
  ['a colon', b({ name: 'vms_media/a:b.png' })],
  ['a reserved name of Windows', b({ name: 'vms_media/CON' })],
  ['Cyrillic', b({ name: 'vms_media/Привет мир.png' })],
  ['emoji', b({ name: 'vms_media/🖼️.png' })],
  ['without extension', b({ name: 'vms_media/.png' })],
  ['a unicode path that agrees', b({ name: 'vms_media/ü', extra: unicodePath('vms_media/ü', 'vms_media/ü') })],
  ['unknown extra fields', b({ extra: Buffer.from([0x55, 0x54, 1, 0, 3]) })],
  ['padding behind the extra fields', b({ extra: Buffer.alloc(3) })],
  ['an entry comment', b({ central: { comment: 'a comment' } })],
  ['set-id and sticky bits', b({ attributes: 0o107777 * 65536 })],
  ['made on DOS', b({ attributes: 0x20, central: { madeBy: 20 } })],
  ['the same content twice', b({ data: 'the picture' })],
]

/** Valid variants of an archive around its entries. */
export const soundArchives: readonly (readonly [string, TestArchive])[] = [
  ['with a comment', { comment: Buffer.from('made by hand') }],
  ['with the longest comment', { comment: Buffer.alloc(0xffff, 'x') }],
  ['with Zip64 ends', { zip64: true }],
  ['with Zip64 ends and a comment', { zip64: true, comment: Buffer.from('made by hand') }],
]

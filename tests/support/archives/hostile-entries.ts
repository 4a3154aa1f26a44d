import { deflateRawSync } from 'node:zlib'

import type { TestEntry } from '../zip.ts'
import { aZip, unicodePath } from '../zip.ts'
import type { HostileArchive } from './hostile.ts'
import { media, refused, refusedBytes } from './hostile.ts'
import { aSave, saveEntries } from './sound.ts'

const unsafe: readonly (readonly [string, string | Buffer, RegExp])[] = [
  ['climbing', 'vms_media/../../galley-evil.txt', /points outside its folder/],
  ['climbing at the front', '../galley-evil.txt', /points outside its folder/],
  ['climbing at the end', 'vms_media/..', /points outside its folder/],
  ['a dot segment', 'vms_media/./a', /a single dot/],
  ['a dot alone', '.', /a single dot/],
  ['climbing after a dot', './../galley-evil.txt', /points outside its folder/],
  ['absolute after a dot', './/etc/passwd', /absolute/],
  ['percent-encoded climbing', 'vms_media/%2e%2E/galley-evil', /points outside its folder/],
  ['percent-encoded slashes', 'vms_media/..%2f..%2fgalley-evil', /points outside its folder/],
  ['absolute', '/etc/passwd', /absolute/],
  ['a drive', 'C:/galley-evil.txt', /absolute/],
  ['a drive without a slash', 'c:galley-evil.txt', /absolute/],
  ['a UNC path', '\\\\host\\share\\galley-evil', /backslash/],
  ['a UNC path with slashes', '//host/share', /absolute/],
  ['a backslash', 'vms_media\\x.png', /backslash/],
  ['NUL', 'vms_media/a.png\0.txt', /control/],
  ['a line break', 'vms_media/a\nb', /control/],
  ['ESC', 'vms_media/\u001b[2Ja', /control/],
  ['C1 controls', 'vms_media/\u009b2Ja', /control/],
  ['an empty segment', 'vms_media//a.png', /empty/],
  ['nothing', '', /empty/],
  ['too many bytes', `vms_media/${'ü'.repeat(508)}`, /longer than 1024/],
  ['broken UTF-8', Buffer.from([0x61, 0xff, 0xfe]), /not UTF-8/],
  ['overlong UTF-8', Buffer.from([0x2e, 0x2e, 0xc0, 0xaf]), /not UTF-8/],
]
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

const b = 'vms_media/b.png'
const unicode = (header: string, name: string, crc?: number) => unicodePath(header, name, crc)
const twoPaths = Buffer.concat([unicode(b, b), unicode(b, b)])

const unicodePaths: readonly (readonly [string, Partial<TestEntry>, RegExp])[] = [
  ['that climbs', { extra: unicode(b, '../galley-evil') }, /points outside its folder/],
  ['that is absolute', { extra: unicode(b, '/etc/passwd') }, /absolute/],
  ['with a control character', { extra: unicode(b, 'vms_media/a\nb') }, /control/],
  ['of a folder', { extra: unicode(b, 'vms_media/b/') }, /folder and a file/],
  ['of the name of another entry', { extra: unicode(b, 'vms_media/a.png') }, /two files are named vms_media\/a.png/],
  ['that only the directory has', { central: { extra: unicode(b, 'vms_media/c.png') } }, /two different ways/],
  ['that only one header has', { local: { extra: unicode(b, 'vms_media/c.png') } }, /two different ways/],
  ['twice', { extra: twoPaths }, /extra fields/],
]

/** Names and kinds of entries that no valid save has. */
export const hostileEntries: readonly HostileArchive[] = [
  ...unsafe.map(([name, path, words]) => refused(`name: ${name}`, [media(path)], words)),
  ...kinds.map(([name, more, words]) => refused(`kind: ${name}`, [media(b, more)], words)),
  ...unicodePaths.map(([name, more, words]) => refused(`Unicode path: ${name}`, [media(b, more)], words)),
  refusedBytes('the same name twice', () => aZip([...saveEntries(), media('vms_media/a.png')]), /two files are named/),
  refusedBytes(
    'two states',
    () => aZip([...saveEntries(), { name: 'vms_json.json', data: '{}' }]),
    /two files are named/,
  ),
  // In code page 437 and in UTF-8, the bytes differ but the name is the same.
  refusedBytes(
    'the same name in two encodings',
    () => aSave([media(Buffer.from('vms_media/\x81', 'latin1'), { flags: 0 }), media('vms_media/ü')]),
    /two files are named/,
  ),
  refused('a folder with a content', [media('vms_media/sub/', { data: 'x', method: 0 })], /folder and a file/),
  refused(
    'a folder that says it is a file',
    [media('vms_media/sub/', { data: '', attributes: 0o100644 * 65536 })],
    /folder and a file/,
  ),
  refused(
    'a folder that hides something',
    [media('vms_media/sub/', { data: '', raw: deflateRawSync('hidden') })],
    /corrupt/,
  ),
]

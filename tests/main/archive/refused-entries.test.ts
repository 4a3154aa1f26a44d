import { deflateRawSync } from 'node:zlib'

import { describe, test } from 'vitest'

import type { TestEntry } from '../../support/zip.ts'
import { aZip, unicodePath } from '../../support/zip.ts'
import { aSave, saveEntries } from './fixture.ts'
import { expectRefused, media } from './refused.ts'

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

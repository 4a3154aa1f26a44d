import { describe, expect, it } from 'vitest'

import { extensionByBytes, storedMediaType } from '../../packages/wire/media-types.ts'

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (sign) => sign.charCodeAt(0))
const starts: readonly (readonly [string, string])[] = [
  ['png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
  ['jpg', '\xff\xd8\xff\xe0\0\x10JFIF'],
  ['gif', 'GIF89a'],
  ['webp', 'RIFF\x10\n\0\0WEBPVP8 '],
  ['avif', '\0\0\0\x20ftypavif'],
  ['mp4', '\0\0\0\x20ftypisom'],
  ['woff', 'wOFF\0\x01'],
  ['woff2', 'wOF2\0\x01'],
]

describe('the type of a stored file', () => {
  it.each(starts)('%s is known by its first bytes', (extension, start) => {
    expect(extensionByBytes(bytes(start))).toBe(extension)
  })

  it.each([
    '',
    '\x89PNG',
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '<!doctype html>',
    '<html>',
    '%PDF-1.7',
    'PK\x03\x04',
  ])('is not guessed for %j', (start) => {
    expect(extensionByBytes(bytes(start))).toBeNull()
  })

  it('is that of its name where that says one, and the bytes are not read', async () => {
    const fail = (): Promise<never> => Promise.reject(new Error('The bytes were read'))
    expect(await storedMediaType('a.PNG', fail)).toBe('image/png')
    expect(await storedMediaType('a.svg', fail)).toBe('image/svg+xml')
    const jpeg = async () => bytes('\xff\xd8\xff\xe0')
    expect(await storedMediaType('photo', jpeg)).toBe('image/jpeg')
    expect(await storedMediaType('photo.jpeg_large', jpeg)).toBe('image/jpeg')
    expect(await storedMediaType('page', async () => bytes('<svg onload=x>'))).toBe('application/octet-stream')
  })
})

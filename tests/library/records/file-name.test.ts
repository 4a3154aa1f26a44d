import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  bundleFileName,
  contentToCheck,
  isTypeless,
  startsAsPage,
} from '../../../packages/library/records/file-name.ts'
import { isBundlePath, relativeUrl } from '../../../packages/library/records/paths.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'

const sha = '0123456789abcdef'.repeat(4) as Sha256
const hash = sha.slice(0, 32)
const named = (name: string) => bundleFileName(sha, name, false)

describe('names that do not say a type', () => {
  it.each(['photo', 'a/photo', 'photo.jpeg_large', 'photo.bin2'])('%s gets that of its bytes', (name) => {
    expect(isTypeless(name)).toBe(true)
    expect(bundleFileName(sha, name, false, 'jpg')).toMatchObject({ inert: false })
    expect(bundleFileName(sha, name, false, 'jpg').fileName).toMatch(/^[0-9a-f]{32}-[a-z0-9-]+\.jpg$/)
  })

  it.each(['photo.png', 'a.html', 'photo.php', 'a.svg', 'a.xml', 'photo.php.x9'])('%s keeps its own', (name) => {
    expect(isTypeless(name)).toBe(false)
  })
})

describe('names of stored files', () => {
  it.each([
    ['Hero Image.JPG', `${hash}-hero-image.jpg`],
    ['a/b/Фото №1.png', `${hash}-a-b-foto-no1.png`],
    ['.png', `${hash}.png`],
    ['x.php.png', `${hash}-x-php.png`],
    ['logo.svg', `${hash}-logo.svg`],
    ['logo.SVGZ', `${hash}-logo.svg`],
  ])('keeps the type of %s', (name, fileName) => {
    expect(named(name)).toEqual({ fileName, inert: false })
  })

  it.each([
    'm3u8',
    'ts',
    'mkv',
    'ics',
    'odt',
    'jxl',
    'avif',
    'heic',
    'webmanifest',
    'gpx',
    'kml',
    'epub',
    'flac',
    'opus',
    'csv',
    'md',
    'yaml',
    'stl',
    'pages',
    'midi',
    'json',
    'xml',
    'mpd',
    'usda',
    'sketch',
    'dmg',
    'r3d',
  ])('keeps %s', (type) => {
    expect(named(`a.${type}`)).toEqual({ fileName: `${hash}-a.${type}`, inert: false })
  })

  it.each([
    'index.html',
    'a.xhtml',
    'page.xhtml',
    'shell.php',
    'shell.PHP5',
    '.htaccess',
    'web.config',
    'x.shtml',
    'mail.mht',
    'release-1.2',
    'a.longerthan11x',
    'LICENSE',
    'a.html.',
    'a.htm ',
    'con',
    'a.png\u0000.html',
  ])('takes the type from %j', (name) => {
    const { fileName, inert } = named(name)
    expect(inert).toBe(true)
    expect(fileName).toMatch(/^[0-9a-f]{32}[a-z0-9-]*\.bin$/)
  })

  it.each([
    ['a.svgz', 'drawing'],
    ['a.mpd', 'xml'],
    ['a.dmg', 'unnamed'],
    ['a.riv', 'unnamed'],
    ['a.png', null],
    ['a.php', null],
    ['LICENSE', null],
  ] as const)('depend on the content of %s as %s', (name, check) => {
    expect(contentToCheck(name)).toBe(check)
  })

  it.each(['<!doctype html>', '\n <HTML>', '<p class="a">', '<script>', '<br/>', '<!-- x -->'])(
    'are those of a page where the text starts with %j',
    (text) => {
      expect(startsAsPage(text)).toBe(true)
      expect(startsAsPage(`x${text}`)).toBe(false)
    },
  )

  it.each(['<?xml version="1.0"?>', '<atom>', '<pre-x>', 'a < b', ''])('are not where it starts with %j', (text) => {
    expect(startsAsPage(text)).toBe(false)
  })

  it('removes the type of an active SVG', () => {
    expect(bundleFileName(sha, 'a.svg', true)).toEqual({ fileName: `${hash}-a-svg.bin`, inert: true })
  })

  it('is a path of a bundle for any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.boolean(), (name, mayRun) => {
        expect(isBundlePath(`media/${bundleFileName(sha, name, mayRun).fileName}`)).toBe(true)
      }),
    )
  })
})

describe('paths', () => {
  it.each([
    ['index.html', 'a/index.html', 'a/index.html'],
    ['a/index.html', 'index.html', '../index.html'],
    ['a/index.html', 'media/x.png', '../media/x.png'],
    ['fonts/fonts.css', 'fonts/x.woff2', 'x.woff2'],
  ])('from %s to %s is %s', (from, to, url) => {
    expect(relativeUrl(from, to)).toBe(url)
  })

  it.each(['../x', '/x', 'a/../b', 'a//b', 'a/b/c/d/e/f/g/h', 'A', 'a\\b', '.x', 'a/.x', '', 'a.b.c', 'c:x', 'a '])(
    'does not take %j for a path of a bundle',
    (path) => {
      expect(isBundlePath(path)).toBe(false)
    },
  )
})

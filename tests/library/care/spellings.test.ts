import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { createVersionPages } from '../../../src/main/review/version-pages.ts'
import { aCaredLibrary, aRun, reportOf } from './library.ts'
import { dateOf, exported, findingsOf, pruneTo } from './named-files.ts'

/** Other ways to write `https://files.example/base/media/HASH/a%20b.png` that a browser resolves to the same file. */
const spellings: Readonly<Record<string, (url: string) => string>> = {
  'an upper-case host': (url) => url.replace('https://files', 'HTTPS://FILES'),
  'the default port': (url) => url.replace('.example', '.example:443'),
  'no scheme': (url) => url.replace('https:', ''),
  http: (url) => url.replace('https:', 'http:'),
  'an encoded host': (url) => url.replace('files', 'f%69les'),
  'an encoded folder': (url) => url.replace('media', '%6dedia'),
  'an encoded name': (url) => url.replace('.png', '%2Ep%6eg'),
  'a name that nobody encoded': (url) => url.replace('%20', ' '),
  'a dot segment': (url) => url.replace('/media/', '/media/./'),
  'an encoded dot segment': (url) => url.replace('/media/', '/media/%2e/'),
  'a folder and back': (url) => url.replace('/media/', '/x/../media/y/../'),
  'a folder and back before the name': (url) => url.replace('/a%20b', '/./x/../a%20b'),
  backslashes: (url) => url.replaceAll('/', '\\'),
  'backslashes in the path': (url) => url.replace('/media/', '\\media\\'),
  'more slashes': (url) => url.replace('//', '////'),
  'a query': (url) => `${url.replace('files', 'FILES')}?v=1#x`,
}

/** Where an address stands: in an attribute, a style sheet, or a list of candidates, which has no spaces. */
const markup: readonly ((url: string) => string)[] = [
  (url) => `<img src=" ${url}">`,
  (url) => `<style>a{background:url("${url.replaceAll('\\', '\\\\')}")}</style>`,
  (url) => `<img srcset="${url} 2x, ${url}, https://x.invalid/ 3x">`,
]

async function withPicture() {
  const library = await aCaredLibrary()
  library.changeSite({ publicUrl: 'https://files.example/base' })
  await library.save({ versionId: 'v1', versionCdate: dateOf(0), files: { 'a b.png': 'picture' } })
  const url = library.index.versions.find('acme', 'post-1', 'v1')?.publicUrls['a b.png'] ?? ''
  return { ...library, url }
}

it('a file counts as used, and is exported and shown, in every spelling that a browser resolves', async () => {
  const library = await withPicture()
  const { index, vault, background, url } = library
  let at = 1
  for (const [name, spell] of Object.entries(spellings)) {
    const written = spell(url)
    const place = markup[at % (written.includes(' ') ? 2 : 3)]
    at += 1
    const html = `<p>${at}</p>${place?.(written)}`
    await library.save({ versionId: `v${at}`, versionCdate: dateOf(at), files: {}, html })
    await reportOf(pruneTo(library, 1))
    expect(index.versions.referred('acme', 'post-1', `v${at}`), html).toMatchObject([{ name: 'a b.png' }])
    const directory = await exported(library)
    const page = await readFile(join(directory, 'index.html'), 'utf8').catch(() => '')
    const pages = (await readdir(directory, { recursive: true })).filter((path) => path.endsWith('index.html'))
    const texts = await Promise.all(pages.map((path) => readFile(join(directory, path), 'utf8')))
    expect([page, ...texts].join(''), name).not.toMatch(/example.{0,9}base/i)
    expect(await readdir(join(directory, 'media')), name).toHaveLength(1)
    const shown = await createVersionPages(index, vault, background).make({
      site: 'acme',
      materialId: 'post-1',
      versionId: `v${at}`,
    })
    if (!shown.ok) throw new Error(shown.failure.code)
    const missing = shown.value.shown.unshown.filter(({ why }) => why === 'missing')
    expect([missing, shown.value.files.size], name).toEqual([[], 2])
  }
  expect(await findingsOf(library)).toEqual([])
})

it('a check names a missing file in such a spelling, and none that is there', async () => {
  const library = await withPicture()
  const { url } = library
  const gone = url.replace('a%20b', 'gone').replace(/[0-9a-f]{32}/, '0'.repeat(32))
  for (const [at, spell] of Object.values(spellings).entries()) {
    const html = `<img src="${spell(url)}"><img src="${spell(gone)}">`
    await library.save({ versionId: `w${at}`, versionCdate: dateOf(at + 1), files: {}, html })
    await reportOf(pruneTo(library, 1))
    const found = await findingsOf(library)
    expect(
      found.map(({ facts }) => facts),
      html,
    ).toEqual([{ code: 'references', names: ['gone.png'], all: 1 }])
  }
})

it('a listener resolves the path of a request alike, and never outside of its folders', async () => {
  const library = await withPicture()
  const path = library.url.slice('https://files.example/base'.length)
  const statusOf = (asked: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(library.listener)
      const sent = request({ hostname, port, path: asked }, (answer) => resolve(answer.resume().statusCode))
      sent.on('error', reject).end()
    })
  for (const asked of [
    path,
    path.replace('/media/', '/media/./'),
    path.replace('/media/', '/media/x/../'),
    path.replaceAll('/', '\\').replace('\\', '/'),
    path.replace('media', '%6dedia'),
    `/../..${path}`,
  ])
    expect(await statusOf(asked), asked).toBe(200)
  for (const asked of [path.replace('/media', ''), '/media/../../index.db', '/media/..%2f..%2findex.db', `/x${path}`])
    expect(await statusOf(asked), asked).toBe(404)
})

const utf16 = (text: string, encoding: 'le' | 'be', mark: string): Buffer => {
  const bytes = Buffer.from(mark + text, 'utf16le')
  return encoding === 'le' ? bytes : bytes.swap16()
}

it('a file counts as used that a page names behind its base, and is exported and shown', async () => {
  const library = await withPicture()
  const { index, vault, background, url } = library
  const [before = '', hash = ''] = url.split(/media\/|\/a%20b/)
  for (const [at, [base, ref]] of [
    [`${before}media/`, `${hash}/a%20b.png`],
    [`${before}media/${hash}/`, 'a b.png'],
    [`${before}posts/1.html`, `../media/${hash}/a%20b.png`],
    [`//FILES.example/x`, `/base/media/${hash}/a%20b.png`],
    [before, `media&sol;${hash}/a%20b.png?1`],
  ].entries()) {
    const html = `<base href="${base}"><base href="https://other.example/"><img src="${ref}">`
    await library.save({ versionId: `b${at}`, versionCdate: dateOf(at + 1), files: {}, html })
    await reportOf(pruneTo(library, 1))
    expect(index.versions.referred('acme', 'post-1', `b${at}`), html).toMatchObject([{ name: 'a b.png' }])
    expect(await readdir(join(await exported(library), 'media')), html).toHaveLength(1)
    const shown = await createVersionPages(index, vault, background).make({
      site: 'acme',
      materialId: 'post-1',
      versionId: `b${at}`,
    })
    expect(shown.ok && shown.value.files.size, html).toBe(2)
  }
})

it.each([
  ['a style sheet in UTF-16', 'a.css', (url: string) => utf16(`a { background: url(${url}) }`, 'le', '\uFEFF')],
  ['the other UTF-16', 'a.css', (url: string) => utf16(`a { background: url(${url}) }`, 'be', '\uFEFF')],
  ['UTF-16 without a mark', 'a.css', (url: string) => utf16(`@charset "utf-16"; @import "${url}"`, 'le', '')],
  ['a style sheet beside it', 'a.css', (url: string) => `a { background: url(..${url.split('/media')[1]}) }`],
  ['a drawing', 'a.svg', (url: string) => `<svg xmlns="http://www.w3.org/2000/svg"><image href="${url}"/></svg>`],
  ['a style in a drawing', 'a.SVG', (url: string) => `<svg><style>a{fill:url('${url}')}</style></svg>`],
  ['JSON', 'a.json', (url: string) => JSON.stringify({ url }).replaceAll('/', '\\/')],
  ['a page of its own', 'a.html', (url: string) => `<base href="${url}"><img src="?x"><img src="a b.png">`],
])('a file counts as used that %s names', async (_, name, textOf) => {
  const library = await withPicture()
  const file = library.index.versions.mediaOfSite('acme', library.url)
  const html = `<p><a href="dummy-${name}">file</a>`
  await library.save({ versionId: 'v2', versionCdate: dateOf(1), html, files: { [name]: textOf(library.url) } })
  await reportOf(pruneTo(library, 1))
  await reportOf(library.care.collect({ dryRun: false, emptyLostAndFound: false }, aRun()))
  expect(library.index.versions.mediaOfSite('acme', library.url)).toEqual(file)
  expect(library.index.blobUses.of(file!.sha256, 9)).toMatchObject([{ versionId: 'v2', part: 'a b.png' }])
  await library.save({ versionId: 'v3', versionCdate: dateOf(2), html: '<p>', files: {} })
  await reportOf(pruneTo(library, 1))
  expect(library.index.versions.mediaOfSite('acme', library.url)).toBeNull()
})

it('a file counts as used that the tree of a font set names', async () => {
  const library = await withPicture()
  const tree = JSON.stringify([{ preview: library.url }])
  await library.saveFonts('f1', { 'vms_fonts.css': '', 'vms_fonts.json': tree })
  await library.save({ versionId: 'v2', versionCdate: dateOf(1), html: '<p>', files: {} })
  await reportOf(pruneTo(library, 1))
  expect(library.index.versions.mediaOfSite('acme', library.url)).not.toBeNull()
})

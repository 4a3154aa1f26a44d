import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { readMaxBytes } from '../../../packages/library/archive/file-references.ts'
import { rebuildLibrary } from '../../../packages/library/care/rebuild.ts'
import { createVersionPages } from '../../../src/main/review/version-pages.ts'
import { openGalley } from '../../support/open-galley.ts'
import { send } from '../../support/test-galley.ts'
import type { CaredLibrary } from './library.ts'
import { aCaredLibrary, aRun, reportOf } from './library.ts'
import { dateOf, exported, findingsOf, pruneTo } from './named-files.ts'

const collect = ({ care }: Pick<CaredLibrary, 'care'>) =>
  reportOf(care.collect({ dryRun: false, emptyLostAndFound: false }, aRun()))

const urlIn = ({ index }: CaredLibrary, versionId: string, name: string): string =>
  index.versions.find('acme', 'post-1', versionId)?.publicUrls[name] ?? ''

const statusOf = async (url: string): Promise<number> => (await send(url, 'GET', null)).status

/** A font set whose style sheet uses files of an earlier save and an earlier font set; the page uses neither. */
/** `isLarge`: the style sheet is not read with its save. */
async function withNamingFonts(isLarge = false) {
  const library = await aCaredLibrary()
  await library.save({ versionId: 'first', versionCdate: dateOf(0), files: { 'face.woff2': 'face', 'paper.png': 'p' } })
  await library.saveFonts('f1', { 'vms_fonts.css': '', 'vms_fonts/old.woff2': 'old', 'vms_fonts.json': '{}' })
  const media = [urlIn(library, 'first', 'face.woff2'), urlIn(library, 'first', 'paper.png')]
  const font = `${library.listener}/fonts/acme/f1/old.woff2`
  await library.saveFonts('f2', {
    'vms_fonts.css': `@font-face { font-family: A; src: url("${media[0]}"), url(${font}) }
      body { background: url('${media[1]?.replaceAll('/', String.raw`\2f `)}') }
      ${' '.repeat(isLarge ? readMaxBytes : 0)}`,
    'vms_fonts.json': '{}',
  })
  await library.save({ versionId: 'second', versionCdate: dateOf(1), html: '<p>plain', files: {} })
  return { ...library, urls: [...media, font] }
}

describe('a file that only a style sheet uses', () => {
  it('is kept and served as long as a font set uses it', async () => {
    const library = await withNamingFonts()
    expect(await reportOf(pruneTo(library, 1))).toMatchObject({ versions: 1 })
    await collect(library)
    for (const url of library.urls) expect(await statusOf(url), url).toBe(200)
    for (const url of library.urls.slice(0, 2))
      expect(library.index.versions.mediaOfSite('acme', url), url).not.toBeNull()
    expect(await findingsOf(library)).toEqual([])
  })

  it('is kept as long as a style sheet of a page or another style sheet uses it, and then deleted', async () => {
    const library = await aCaredLibrary()
    await library.save({ versionId: 'v1', versionCdate: dateOf(0), files: { 'bg.png': 'background' } })
    const picture = urlIn(library, 'v1', 'bg.png')
    await library.save({
      versionId: 'v2',
      versionCdate: dateOf(1),
      html: '<link rel="stylesheet" href="dummy-a.css">',
      files: { 'a.css': `body { background: url(${picture}) }` },
    })
    const inner = urlIn(library, 'v2', 'a.css')
    await library.save({
      versionId: 'v3',
      versionCdate: dateOf(2),
      html: '<link rel="stylesheet" href="dummy-b.CSS">',
      files: { 'b.CSS': `@import "${inner}";` },
    })
    const outer = urlIn(library, 'v3', 'b.CSS')
    await library.save({
      versionId: 'v4',
      versionCdate: dateOf(3),
      html: `<link rel="stylesheet" href="${outer}">`,
      files: {},
    })
    expect(await reportOf(pruneTo(library, 1))).toMatchObject({ versions: 3 })
    await collect(library)
    for (const url of [picture, inner, outer]) expect(await statusOf(url), url).toBe(200)
    expect(await findingsOf(library)).toEqual([])

    const listed = library.index.versions.referred('acme', 'post-1', 'v4').map(({ name }) => name)
    expect(listed.toSorted()).toEqual(['a.css', 'b.CSS', 'bg.png'])
    await library.save({ versionId: 'v5', versionCdate: dateOf(4), html: '<p>without', files: {} })
    expect(library.index.versionList.find('acme', 'post-1', 'v5')?.change).toMatchObject({ mediaRemoved: 3 })
    const plan = await reportOf(pruneTo(library, 1, true))
    expect(await reportOf(pruneTo(library, 1))).toEqual({ ...plan, isDryRun: false })
    // Page, state, archive, and the three.
    expect(plan.files).toBeGreaterThan(3)
    for (const url of [picture, inner, outer]) expect(await statusOf(url), url).toBe(404)
    expect(library.rows('SELECT * FROM style_sheet')).toEqual([])
  })

  it('is kept when the index is rebuilt from the log, and the log from the index', async () => {
    const library = await withNamingFonts()
    await reportOf(pruneTo(library, 1))
    const { urls } = library
    await library.close()
    for (const from of ['log', 'index'] as const) {
      await rebuildLibrary(library.folder, { from, now: () => new Date() })
      const galley = await openGalley({ folder: library.folder })
      await collect(galley)
      for (const url of urls.slice(0, 2)) expect(galley.index.versions.mediaOfSite('acme', url), url).not.toBeNull()
      expect(await findingsOf(galley)).toEqual([])
      await galley.close()
    }
  })

  it('stays while a style sheet has not been read, even one that arrives during a deletion', async () => {
    const library = await withNamingFonts(true)
    // Like a deletion that has read all style sheets before the newest one arrived.
    const { retention } = library.index
    const row = library.rows('SELECT id FROM material')[0]?.['id']
    const [, first] = retention.history(Number(row))
    retention.remove([first?.row ?? 0])
    expect(library.index.counts().versions).toBe(1)
    await collect(library)
    for (const url of library.urls) expect(await statusOf(url), url).toBe(200)
  })

  it('stays while a style sheet cannot be read, until a repair restores it or gives it up', async () => {
    const library = await withNamingFonts(true)
    await rm(library.fileOf(`SELECT css_sha256 FROM snapshot WHERE snapshot_id = 'f2'`))
    const refused = { ok: false, failure: { code: 'pages_unreadable', versions: 1 } }
    expect(await pruneTo(library, 1)).toEqual(refused)
    await findingsOf(library, true)
    expect(await reportOf(pruneTo(library, 1))).toMatchObject({ versions: 1 })
    for (const url of library.urls) expect(await statusOf(url), url).toBe(200)
  })

  it('is reported by a check if it is missing, unless it is on another server', async () => {
    const library = await aCaredLibrary()
    const gone = `/media/${'0'.repeat(32)}/gone`
    const css = `a { background: url(${library.listener}${gone}.png), url(https://elsewhere.example${gone}2.png) }`
    await library.save({ versionId: 'v1', html: '<link rel="stylesheet" href="dummy-a.css">', files: { 'a.css': css } })
    await library.saveFonts('f1', { 'vms_fonts.css': css.replace('gone.png', 'lost.png'), 'vms_fonts.json': '{}' })
    expect(await findingsOf(library)).toHaveLength(2)
    expect(await findingsOf(library)).toEqual(
      expect.arrayContaining([
        {
          kind: 'reference_missing',
          facts: { code: 'references', names: ['gone.png'], all: 1 },
          usedBy: [{ site: 'acme', materialId: 'post-1', versionId: 'v1', part: 'a.css' }],
        },
        {
          kind: 'reference_missing',
          facts: { code: 'references', names: ['lost.png'], all: 1 },
          usedBy: [{ site: 'acme', materialId: null, versionId: 'f1', part: 'css' }],
        },
      ]),
    )
  })
})

describe('files that a style sheet uses', () => {
  it('are shown in a review and exported, even after the saves that brought them are deleted', async () => {
    const library = await withNamingFonts(true)
    const { index, vault, background, urls } = library
    const inner = `@font-face { font-family: B; src: url(${urls[0]}) }`
    await library.save({ versionId: 'third', versionCdate: dateOf(2), html: '<p>3', files: { 'inner.css': inner } })
    const css = `@import url(${urlIn(library, 'third', 'inner.css')}); a { background: url("${urls[1]}") }`
    const html = '<link rel="stylesheet" href="dummy-page.css">'
    await library.save({ versionId: 'fourth', versionCdate: dateOf(3), html, files: { 'page.css': css } })
    await reportOf(pruneTo(library, 1))

    const page = await createVersionPages(index, vault, background).make({
      site: 'acme',
      materialId: 'post-1',
      versionId: 'fourth',
    })
    if (!page.ok) throw new Error(page.failure.code)
    expect(page.value.shown.unshown).toEqual([])
    const texts = [...page.value.files.values()].flatMap((file) => (file.kind === 'text' ? [file.text] : []))
    // The page, the fonts, and both style sheets.
    expect(texts).toHaveLength(4)
    for (const text of texts) expect(text).not.toContain(library.listener)
    const blobs = [...page.value.files.values()].flatMap((file) => (file.kind === 'blob' ? [file.name] : []))
    expect(blobs.toSorted()).toEqual(['face.woff2', 'old.woff2', 'paper.png'])

    const directory = await exported(library)
    const names = (await readdir(join(directory, 'media'))).map((name) => name.replace(/^[0-9a-f]{32}-/, ''))
    expect(names.toSorted()).toEqual(['face.woff2', 'inner.css', 'old.woff2', 'page.css', 'paper.png'])
    const sheets = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.css'))
    for (const name of sheets) {
      const text = await readFile(join(directory, name), 'utf8')
      expect(text, name).not.toContain(library.listener)
      for (const [, target = ''] of text.matchAll(/url\(["']?(\S*?media\/[^"')]+)/g))
        expect(existsSync(join(directory, name, '..', target)), target).toBe(true)
    }
  })

  it('are exported and listed for the site through style sheets that other style sheets name', async () => {
    const library = await aCaredLibrary()
    const { index } = library
    await library.save({ versionId: 'v0', versionCdate: dateOf(0), files: { 'abc.png': 'picture' } })
    const picture = urlIn(library, 'v0', 'abc.png')
    const inner = `a { background: url(${picture}) }`
    await library.save({ versionId: 'v1', versionCdate: dateOf(1), files: { 'a.css': inner } })
    await library.save({
      versionId: 'v2',
      versionCdate: dateOf(2),
      html: '<link rel="stylesheet" href="dummy-b.css">',
      files: { 'b.css': `@import "${urlIn(library, 'v1', 'a.css')}";` },
    })
    await reportOf(pruneTo(library, 1))
    expect(index.versions.allMediaOfSite('acme').map(({ name }) => name)).toContain('abc.png')
    const referred = index.versions.referred('acme', 'post-1', 'v2')
    const { sha256 } = referred.find(({ name }) => name === 'abc.png') ?? expect.fail('abc.png is not referred to')
    expect(index.blobUses.of(sha256, 9)).toMatchObject([{ kind: 'version', versionId: 'v2', part: 'abc.png' }])
    const names = (await readdir(join(await exported(library), 'media'))).map((name) => name.slice(33))
    expect(names.toSorted()).toEqual(['a.css', 'abc.png', 'b.css'])
  })

  it('are not rewritten in a style sheet with another encoding', async () => {
    const library = await aCaredLibrary()
    const css = Buffer.from(
      `@charset "latin1"; a::after { content: "é" } b { src: url(${library.listener}/media/${'0'.repeat(32)}/x) }`,
      'latin1',
    )
    const html = '<link rel="stylesheet" href="dummy-page.css">'
    await library.save({ versionId: 'v1', html, files: { 'page.css': css } })
    const directory = await exported(library)
    const [name = ''] = await readdir(join(directory, 'media'))
    expect((await readFile(join(directory, 'media', name))).equals(css)).toBe(true)
  })
})

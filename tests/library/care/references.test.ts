import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { readMaxBytes } from '../../../packages/library/archive/file-references.ts'
import { rebuildLibrary } from '../../../packages/library/care/rebuild.ts'
import { restore } from '../../../packages/library/care/restore.ts'
import { librarySource } from '../../../packages/sites/exporting/library-source.ts'
import { openGalley } from '../../support/open-galley.ts'
import { randomFrom } from '../../support/random.ts'
import { send, temporaryFolder } from '../../support/test-galley.ts'
import type { CaredLibrary } from './library.ts'
import { aCaredLibrary, aRun, forget, reportOf } from './library.ts'
import { dateOf, exported, findingsOf, pruneTo } from './named-files.ts'

const collect = ({ care }: Pick<CaredLibrary, 'care'>, dryRun: boolean) =>
  care.collect({ dryRun, emptyLostAndFound: false }, aRun())

/**
 * Version `first` brings a picture; version `second` shows it by its public URL, without the picture in its archive.
 */
async function withEarlierPicture() {
  const library = await aCaredLibrary()
  await library.save({ versionId: 'first', versionCdate: dateOf(0), files: { 'a b.png': 'picture' } })
  const url = library.index.versions.find('acme', 'post-1', 'first')?.publicUrls['a b.png'] ?? ''
  await library.save({
    versionId: 'second',
    versionCdate: dateOf(1),
    files: { 'own.png': 'own' },
    html: `<img src="${url}"><img src="dummy-own.png">`,
    state: { assets: {}, hero: url },
  })
  return { ...library, url }
}

/** Stores the newest version again as an early library has it, without recorded references. */
function storeUnread({ index }: CaredLibrary, versionId: string, at: number): void {
  const [known] = index.versions.list('acme', 'post-1')
  const parts = index.versions.currentParts('acme', 'post-1')
  if (!known || !parts) throw new Error('There is no version yet')
  index.commit.now(() => [
    {
      kind: 'version_stored',
      version: {
        site: known.site,
        materialId: known.materialId,
        versionId,
        versionCdate: dateOf(at),
        receivedAt: dateOf(at),
        userEmail: null,
        metadata: null,
        title: null,
        html: parts.html,
        state: parts.state,
        keptSha256: parts.kept,
        archiveSha256: known.archiveSha256,
        sizeBytes: 1,
        publicBase: 'https://old.example',
        warnings: [],
        media: [],
        references: null,
      },
      blobs: [],
      delivery: null,
    },
  ])
}

describe('a file of an earlier save that a page uses', () => {
  it('is kept, served, shown, compared and exported after the version that brought it is deleted', async () => {
    const library = await withEarlierPicture()
    const { index, url } = library
    const change = index.versionList.find('acme', 'post-1', 'second')?.change
    expect(change).toMatchObject({ mediaAdded: 1, mediaRemoved: 0, mediaChanged: 0 })
    expect(await reportOf(pruneTo(library, 1))).toMatchObject({ versions: 1 })
    expect(await send(url, 'GET', null)).toMatchObject({ status: 200, text: 'picture' })
    const [referred, ...others] = index.versions.referred('acme', 'post-1', 'second')
    expect([referred, others]).toMatchObject([{ name: 'a b.png', url }, []])
    expect(index.versions.mediaOfSite('acme', url)).toMatchObject({ name: 'a b.png' })
    const site = index.sites.find('acme')
    const choice = { materials: [], pins: new Map<string, string>(), at: new Date() }
    const source = site && (await librarySource(index, library.vault, site, choice))
    expect(source?.ok && (await source.value.mediaAt(url))).toMatchObject({ name: 'a b.png' })
    expect(await findingsOf(library)).toEqual([])
  })

  it('is not missing where its URL goes on with what is no part of it, or seems to end too early', async () => {
    const library = await withEarlierPicture()
    const { url } = library
    await library.save({
      versionId: 'third',
      versionCdate: dateOf(2),
      files: {},
      html: `<p>At ${url}. <i data-list="${url}|${url}"><img src="${decodeURI(url)}">`,
      state: '{"assets":{}}',
    })
    expect(await findingsOf(library)).toEqual([])
  })

  it('is kept when a later version has the same bytes under another name', async () => {
    const library = await aCaredLibrary()
    await library.save({ versionId: 'first', versionCdate: dateOf(0), files: { 'a.png': 'picture' } })
    const url = library.index.versions.find('acme', 'post-1', 'first')?.publicUrls['a.png'] ?? ''
    const html = `<img src="${url}"><img src="dummy-b.png">`
    await library.save({ versionId: 'second', versionCdate: dateOf(1), files: { 'b.png': 'picture' }, html })
    const named = () => library.index.versions.referred('acme', 'post-1', 'second').map(({ name }) => name)
    expect(named()).toEqual(['a.png'])
    storeUnread(library, 'third', 2)
    await reportOf(pruneTo(library, 1))
    expect(library.index.versions.referred('acme', 'post-1', 'third').map(({ name }) => name)).toContain('a.png')
    await exported(library)
    await library.close()
    await rebuildLibrary(library.folder, { from: 'index', now: () => new Date() })
    const galley = await openGalley({ folder: library.folder })
    expect(galley.index.versions.mediaOfSite('acme', url)).toMatchObject({ name: 'a.png' })
    await galley.close()
  })

  it('is deleted with the last page that uses it', async () => {
    const library = await withEarlierPicture()
    await library.save({ versionId: 'third', versionCdate: dateOf(2), html: '<p>without', files: {} })
    expect(await reportOf(pruneTo(library, 1))).toMatchObject({ versions: 2 })
    expect((await send(library.url, 'GET', null)).status).toBe(404)
    expect(await findingsOf(library)).toEqual([])
  })

  it('is kept when the index is rebuilt from the log, and the log from the index', async () => {
    const library = await withEarlierPicture()
    await reportOf(pruneTo(library, 1))
    await library.close()
    for (const from of ['log', 'index'] as const) {
      await rebuildLibrary(library.folder, { from, now: () => new Date() })
      const galley = await openGalley({ folder: library.folder })
      expect(galley.index.versions.referred('acme', 'post-1', 'second')).toMatchObject([{ name: 'a b.png' }])
      expect((await reportOf(galley.care.check({ repair: false }, aRun()))).findings).toEqual([])
      expect((await reportOf(galley.care.collect({ dryRun: false, emptyLostAndFound: false }, aRun()))).blobs).toBe(0)
      await galley.close()
    }
  })

  it('is found in versions from before the log, before anything is deleted', async () => {
    const library = await withEarlierPicture()
    storeUnread(library, 'third', 2)
    expect(library.index.references.unread(0, 9)).toHaveLength(1)
    expect(await reportOf(pruneTo(library, 1))).toMatchObject({ versions: 2 })
    expect(library.index.references.unread(0, 9)).toEqual([])
    expect((await send(library.url, 'GET', null)).status).toBe(200)
  })

  it('is searched for as soon as a listener has started', async () => {
    const library = await withEarlierPicture()
    storeUnread(library, 'third', 2)
    await library.galley.listener.stop()
    await library.galley.listener.start('127.0.0.1', 0)
    await expect.poll(() => library.index.references.unread(0, 9)).toEqual([])
    const named = library.index.versions.referred('acme', 'post-1', 'third').map(({ name }) => name)
    expect(named).toEqual(['a b.png', 'own.png'])
  })

  it('stays while a page cannot be read, until a repair restores the page or gives it up', async () => {
    const library = await withEarlierPicture()
    storeUnread(library, 'third', 2)
    const page = library.fileOf(`SELECT html_sha256 FROM version WHERE version_id = 'third'`)
    await rm(page)
    const refused = { ok: false, failure: { code: 'pages_unreadable', versions: 1 } }
    expect(await pruneTo(library, 1)).toEqual(refused)
    expect(await library.care.collect({ dryRun: false, emptyLostAndFound: false }, aRun())).toEqual(refused)
    expect(library.index.counts().versions).toBe(3)
    await findingsOf(library, true)
    expect(await reportOf(pruneTo(library, 1))).toMatchObject({ versions: 2 })
    expect((await send(library.url, 'GET', null)).status).toBe(200)

    storeUnread(library, 'fourth', 3)
    for (const part of ['html_sha256', 'kept_sha256'])
      await writeFile(library.fileOf(`SELECT ${part} FROM version WHERE version_id = 'fourth'`), '')
    expect(await pruneTo(library, 1)).toEqual(refused)
    await findingsOf(library, true)
    expect(await reportOf(pruneTo(library, 1))).toMatchObject({ versions: 1 })
  })

  it('that is not there any more is named in a warning of the save, and no other file is', async () => {
    const library = await withEarlierPicture()
    const { index, url } = library
    const warningsOf = (versionId: string) => index.versionList.find('acme', 'post-1', versionId)?.warnings
    expect(warningsOf('second')).toEqual([])
    await library.save({ versionId: 'third', versionCdate: dateOf(2), html: '<p>without', files: {} })
    await reportOf(pruneTo(library, 1))
    const html = `<base href="${library.listener}/"><img src="${url}"><p>As ${url}. <img src=".${new URL(url).pathname}">`
    const elsewhere = `<img src="https://elsewhere.example/media/${'0'.repeat(32)}/gone.png">`
    const parts = { versionCdate: dateOf(3), files: { 'own.png': 'new' }, state: { assets: {}, hero: url } }
    await library.save({ ...parts, versionId: 'fourth', html: `${html}${elsewhere}<img src="dummy-own.png">` })
    const expected = [{ code: 'stored_file_missing', name: 'a b.png' }]
    expect(warningsOf('fourth')).toEqual(expected)
    const own = `${index.versions.find('acme', 'post-1', 'fourth')?.publicUrls['own.png']}.`
    await library.save({ ...parts, versionId: 'fifth', versionCdate: dateOf(4), html: own, state: { assets: {} } })
    expect(warningsOf('fifth')).toEqual([])
    await library.close()
    await rebuildLibrary(library.folder, { from: 'log', now: () => new Date() })
    const galley = await openGalley({ folder: library.folder })
    expect(galley.index.versionList.find('acme', 'post-1', 'fourth')?.warnings).toEqual(expected)
    await galley.close()
  })

  it('is reported by a check if it is missing, unless it is on another server', async () => {
    const library = await aCaredLibrary()
    const path = `/media/${'0'.repeat(32)}/gone.png`
    const html = `<img src="${library.listener}${path}"><img src="https://elsewhere.example${path}2">`
    await library.save({ versionId: 'first', html, files: {} })
    expect(await findingsOf(library)).toEqual([
      {
        kind: 'reference_missing',
        facts: { code: 'references', names: ['gone.png'], all: 1 },
        usedBy: [{ site: 'acme', materialId: 'post-1', versionId: 'first', part: 'page' }],
      },
    ])
  })
})

/** Files that name another one. */
const naming: readonly ((url: string) => readonly [string, string | Buffer])[] = [
  (url) => ['css', `a { background: url(${url}) }`],
  (url) => ['css', Buffer.from(`\uFEFFa { background: url(${url}) }`, 'utf16le')],
  (url) => ['svg', `<svg xmlns="http://www.w3.org/2000/svg"><image href="${url}"/></svg>`],
  (url) => ['json', JSON.stringify({ url })],
]

describe('what a style sheet or another file of a save names', () => {
  it('is known with the save, in the same entry of the log', async () => {
    const library = await aCaredLibrary()
    await library.save({ versionId: 'first', versionCdate: dateOf(0), files: { 'a b.png': 'picture' } })
    const url = library.index.versions.find('acme', 'post-1', 'first')?.publicUrls['a b.png'] ?? ''
    const entries = () => library.index.commit.mark().position
    for (const [at, [ending, text]] of naming.map((write) => write(url)).entries()) {
      const before = entries()
      const versionId = `with-${at}`
      await library.save({ versionId, versionCdate: dateOf(at + 1), files: { [`x.${ending}`]: text }, html: '<p>x' })
      expect(entries(), ending).toBe(before + 1)
      expect(library.index.references.unreadSheets('', 9)).toEqual([])
      const named = library.index.versions.referred('acme', 'post-1', versionId).map(({ name }) => name)
      expect(named, ending).toEqual(['a b.png'])
    }
    await library.saveFonts('set', { 'vms_fonts.css': `a { src: url(${url}) }`, 'vms_fonts.json': `{"x":"${url}"}` })
    expect(library.index.references.unreadSheets('', 9)).toEqual([])
    expect(library.index.versions.mediaOfSite('acme', url)).not.toBeNull()
  })

  it('is named in a warning if it is not there any more', async () => {
    const library = await aCaredLibrary()
    const [, text] = naming[0]?.(`${library.listener}/media/${'0'.repeat(32)}/gone.png`) ?? []
    await library.save({ versionId: 'first', files: { 'x.css': text ?? '' }, html: '<p>x' })
    const expected = [{ code: 'stored_file_missing', name: 'gone.png' }]
    expect(library.index.versionList.find('acme', 'post-1', 'first')?.warnings).toEqual(expected)
    await library.save({ versionId: 'second', files: { 'x.css': text ?? '' }, html: '<p>y' })
    expect(library.index.versionList.find('acme', 'post-1', 'second')?.warnings).toEqual(expected)
  })

  it('is read later where it is too large for a save', async () => {
    const library = await withEarlierPicture()
    const text = `a { background: url(${library.url}) }`.padEnd(readMaxBytes + 1)
    await library.save({ versionId: 'third', versionCdate: dateOf(2), files: { 'x.css': text }, html: '<p>x' })
    expect(library.index.references.unreadSheets('', 9)).toHaveLength(1)
    expect(await reportOf(pruneTo(library, 1))).toMatchObject({ versions: 2 })
    expect((await send(library.url, 'GET', null)).status).toBe(200)
  })
})

/** Ways to write a URL that a browser resolves to the same file. What `fetch` asks for is the expected result. */
const spellings: readonly ((url: string) => string)[] = [
  (url) => url,
  (url) => url.replace('http:', ''),
  (url) => url.replace('http', 'HTTP'),
  (url) => url.replace('/media/', '/media/./'),
  (url) => url.replace('/media/', '/x/../%6dedia/'),
  (url) => url.replaceAll('/', '\\'),
]

it('after any sequence of saves, deletions, repairs and restores, all files of the remaining pages are served, and plans come true', async () => {
  const random = randomFrom(Number(process.env['GALLEY_REFERENCES_SEED'] ?? 20_261_122))
  const below = (limit: number): number => Math.floor(random() * limit)
  const library = await aCaredLibrary()
  /** The files that each version shows: the expected result. */
  const shown = new Map<string, readonly string[]>()
  const everyUrl: string[] = []
  /** What each style sheet names, with what the style sheets among that name. */
  const namedBy = new Map<string, readonly string[]>()
  const withNamed = (urls: readonly string[]) => urls.flatMap((url) => [url, ...(namedBy.get(url) ?? [])])
  for (let step = 0; step < 40; step += 1) {
    const move = step < 3 ? 0 : below(10)
    if (move < 6) {
      const versionId = `v${step}`
      // Few contents with many names, so that equal bytes have several names.
      const files: Record<string, string | Buffer> = Object.fromEntries(
        Array.from({ length: below(3) }, (_, at) => [
          `${step}-${at}.png`,
          `${below(3)}`.repeat(below(2) === 0 ? 9 : 30_000),
        ]),
      )
      const still = Array.from({ length: below(3) }, () => everyUrl[below(everyUrl.length)] ?? '').filter(Boolean)
      // A reference does not restore a deleted file.
      const served = []
      for (const url of still) if ((await send(url, 'GET', null)).status === 200) served.push(url)
      const sheet = withNamed(below(3) === 0 ? served.splice(0, 1) : [])
      if (sheet[0] !== undefined) {
        const [ending, text] = naming[below(naming.length)]?.(sheet[0]) ?? ['css', '']
        files[`${step}.${ending}`] = text
      }
      const inPage = served.map((url) => `<img src="${spellings[below(spellings.length)]?.(url)}">`)
      const html = [...inPage.slice(1), ...Object.keys(files).map((name) => `<img src="dummy-${name}">`)].join('')
      await library.save({
        versionId,
        versionCdate: dateOf(step),
        files,
        html,
        state: { assets: {}, first: served[0] ?? null },
      })
      const own = Object.values(library.index.versions.find('acme', 'post-1', versionId)?.publicUrls ?? {})
      everyUrl.push(...own)
      for (const url of own) if (!url.endsWith('.png')) namedBy.set(url, sheet)
      shown.set(versionId, withNamed([...own, ...served]))
    } else if (move < 8) {
      const [oldest, ...others] = library.index.versions.list('acme', 'post-1').toReversed()
      if (oldest && others.length > 2 && below(2) === 0) forget(library.index, oldest.versionId)
      const keepVersions = 1 + below(3)
      const plan = await reportOf(pruneTo(library, keepVersions, true))
      expect(await reportOf(pruneTo(library, keepVersions))).toEqual({ ...plan, isDryRun: false })
      await exported(library)
    } else if (move < 9) await reportOf(library.care.check({ repair: true }, aRun()))
    else {
      const plan = await reportOf(collect(library, true))
      expect(await reportOf(collect(library, false))).toEqual({ ...plan, isDryRun: false })
    }
    for (const { versionId } of library.index.versions.list('acme', 'post-1'))
      for (const url of shown.get(versionId) ?? [])
        expect((await send(url, 'GET', null)).status, `${url} after ${step}`).toBe(200)
  }
  for (const { versionId } of library.index.versions.list('acme', 'post-1')) {
    const { media, referred } = library.index.versions
    const listed = [...media('acme', 'post-1', versionId), ...referred('acme', 'post-1', versionId)]
    expect(listed.map(({ url }) => url).toSorted(), versionId).toEqual([...new Set(shown.get(versionId))].toSorted())
  }
  const file = join(await temporaryFolder(), 'all.galley-backup')
  await reportOf(library.care.backUp({ file }, aRun()))
  const folder = join(await temporaryFolder(), 'restored')
  await reportOf(restore({ file, folder, now: () => new Date() }, aRun()))
  const restored = await openGalley({ folder })
  const kept = restored.index.versions.list('acme', 'post-1')
  expect(kept.length).toBeGreaterThan(0)
  for (const { versionId } of kept)
    for (const url of shown.get(versionId) ?? [])
      expect(restored.index.versions.mediaOfSite('acme', url), url).not.toBeNull()
  await restored.close()
})

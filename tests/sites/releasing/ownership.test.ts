import { randomUUID } from 'node:crypto'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'

import { bundlePath } from '../../../packages/library/records/paths.ts'
import type { Target } from '../../../packages/library/records/target.ts'
import { journalText } from '../../../packages/sites/exporting/journal.ts'
import { startS3Server } from '../../support/s3-server.ts'
import { hasSshd, startSftp } from '../../support/sftp-server.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import type { PublishingFixture } from './fixture.ts'
import { createPublishingFixture } from './fixture.ts'

// What a target holds, and whose it is: in a folder, and in a store, which a bucket and an SFTP server are alike.

/** A place for the files of sites, and what a person finds there. */
interface Place {
  addTarget(fixture: PublishingFixture, name?: string): Promise<Target>
  read(path: string): Promise<string | null>
  write(path: string, text: string): Promise<void>
  remove(path: string): Promise<void>
  /** Where Galley's own note is. */
  readonly note: string
  /** Leaves what a publication of this site has begun. */
  begin(owner: string): Promise<void>
}

async function aFolder(): Promise<Place> {
  const web = join(await temporaryFolder(), 'web')
  await mkdir(web)
  return {
    addTarget: (fixture, name = 'live') => fixture.addTarget(`folder:${web}`, { name }),
    ...filesOf(web),
    note: 'galley-bundle.json',
    begin: (owner) => filesOf(web).write(bundlePath.journal, journalText(['two/index.html'], owner)),
  }
}

const filesOf = (web: string) => ({
  read: (path: string) => readFile(join(web, path), 'utf8').catch(() => null),
  async write(path: string, text: string): Promise<void> {
    await mkdir(join(web, path, '..'), { recursive: true })
    await writeFile(join(web, path), text)
  },
  remove: (path: string) => rm(join(web, path)),
})

async function aBucket(): Promise<Place> {
  const server = await startS3Server()
  onTestFinished(server.close)
  return {
    addTarget: (fixture, name = 'live') =>
      fixture.addTarget('s3:team/www', { name, endpoint: server.url, key: 'anyone:anything', compress: true }),
    async read(path) {
      const bytes = server.objects.get(`www/${path}`)
      return (bytes?.[0] === 0x1f ? gunzipSync(bytes) : bytes)?.toString() ?? null
    },
    write: async (path, text) => void server.objects.set(`www/${path}`, Buffer.from(text)),
    remove: async (path) => void server.objects.delete(`www/${path}`),
    note: '.galley/release.json',
    begin: async (owner) => void server.objects.set('www/.galley/unfinished.json', Buffer.from(begunBy(owner))),
  }
}

/** The journal of a publication to a store. */
const begunBy = (owner: string): string =>
  JSON.stringify({ format: 'galley-unfinished', owner, paths: ['two/index.html'], computer: 'other', heartbeat: '1' })

async function anSftpFolder(): Promise<Place> {
  const server = await startSftp(await temporaryFolder())
  onTestFinished(server.kill)
  const web = join(await temporaryFolder(), 'web')
  await mkdir(web)
  return {
    addTarget: (fixture, name = 'live') => fixture.addTarget(server.place(web), { name, key: server.key }),
    ...filesOf(web),
    note: '.galley/release.json',
    begin: (owner) => filesOf(web).write('.galley/unfinished.json', begunBy(owner)),
  }
}

async function aLibrary(folder?: string): Promise<PublishingFixture> {
  const fixture = await createPublishingFixture(folder === undefined ? {} : { folder })
  await fixture.save('post-1', '<h1>One</h1>', { 'hero.png': 'picture' })
  return fixture
}

async function expectLostFilesAgain(place: Place): Promise<void> {
  const fixture = await aLibrary()
  const target = await place.addTarget(fixture)
  const first = await fixture.publish(target)
  if (!first.ok) throw new Error(JSON.stringify(first.failure))
  const { release, changes } = first.value
  const media = changes.find(({ path }) => path.startsWith('media/'))?.path ?? ''
  const before = await place.read('index.html')
  await place.remove('index.html')
  await place.remove(media)
  await place.write('one/index.html', 'short')
  const repaired = await fixture.publish(target)
  expect(repaired).toMatchObject({ ok: true, value: { release } })
  const sent = repaired.ok ? repaired.value.changes.map(({ path, reason }) => [path, reason] as const) : []
  expect(new Map(sent)).toEqual(
    new Map([
      ['index.html', 'missing'],
      [media, 'missing'],
      ['one/index.html', 'altered'],
    ]),
  )
  expect([await place.read('index.html'), await place.read(media)]).toEqual([before, 'picture'])

  await place.remove(place.note)
  await place.remove('index.html')
  expect(await fixture.publish(target)).toMatchObject({ ok: true, value: { release } })
  expect(await place.read('index.html')).toBe(before)
  expect(await place.read(place.note)).toContain(fixture.galley.index.sites.ownerOf('acme'))
  expect(await fixture.galley.releasing.history(target)).toHaveLength(1)
  expect(await fixture.publish(target)).toMatchObject({ ok: true, value: { changes: [] } })
}

const kinds = [
  ['a folder', aFolder],
  ['a bucket', aBucket],
] as const

const takeOver = (fixture: PublishingFixture, target: Target, allowRemovals = false) =>
  fixture.publish(target, false, 'warn', { takeOver: true, allowRemovals })

describe.each(kinds)('%s', (_kind, aPlace) => {
  test('keeps the site of another library, until a person takes it over and allows the removals', async () => {
    const place = await aPlace()
    const [one, other] = [await aLibrary(), await createPublishingFixture()]
    expect(await one.publish(await place.addTarget(one))).toMatchObject({ ok: true })
    await place.write('private/notes.html', 'of a person')
    await other.save('post-2', '<h1>Two</h1>')
    const target = await place.addTarget(other)
    const foreign = { ok: false, failure: { code: 'target_foreign', reason: { code: 'target_other_site' } } }
    expect(await other.publish(target)).toMatchObject(foreign)
    expect(await other.publish(target, true)).toMatchObject(foreign)
    expect(await takeOver(other, target)).toMatchObject({
      ok: false,
      failure: { code: 'many_removals', removed: 1, pages: 1 },
    })
    expect(await place.read('one/index.html')).toContain('One')
    expect(await takeOver(other, target, true)).toMatchObject({ ok: true })
    expect([await place.read('one/index.html'), await place.read('private/notes.html')]).toEqual([null, 'of a person'])
    expect(await other.publish(target)).toMatchObject({ ok: true, value: { changes: [] } })
    expect(await one.publish(await place.addTarget(one))).toMatchObject(foreign)
  })

  test('has one of two copies of a library: the one that knows the release which the note names', async () => {
    const place = await aPlace()
    const folders = [await temporaryFolder(), await temporaryFolder()] as const
    const before = await aLibrary(folders[0])
    expect(await before.publish(await place.addTarget(before))).toMatchObject({ ok: true })
    await before.close()
    await cp(...folders, { recursive: true })
    const one = await createPublishingFixture({ folder: folders[0] })
    const other = await createPublishingFixture({ folder: folders[1] })
    const [target, targetOfOther] = [await place.addTarget(one), await place.addTarget(other)]
    await one.save('post-1', '<h1>By the original</h1>')
    expect(await one.publish(target)).toMatchObject({ ok: true })
    await other.save('post-1', '<h1>By the copy</h1>')
    const foreign = { ok: false, failure: { code: 'target_foreign', reason: { code: 'target_other_copy' } } }
    expect(await other.publish(targetOfOther)).toMatchObject(foreign)
    expect(await place.read('one/index.html')).toContain('By the original')
    expect(await takeOver(other, targetOfOther)).toMatchObject({ ok: true })
    expect(await one.publish(target)).toMatchObject(foreign)
    expect(await place.read('one/index.html')).toContain('By the copy')
  })

  test('gets again what it lost, and names it, also without the note', async () => expectLostFilesAgain(await aPlace()))

  test('is another site’s if its note has another ID, also beside a release of this one', async () => {
    const place = await aPlace()
    const fixture = await aLibrary()
    const target = await place.addTarget(fixture)
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    const owner = fixture.galley.index.sites.ownerOf('acme') ?? ''
    const note = (await place.read(place.note)) ?? ''
    const otherFiles = note.replace(/("sha256": ?")[0-9a-f]{8}/, '$100000000')
    expect(otherFiles).not.toBe(note)
    await place.write(place.note, otherFiles.replace(owner, randomUUID()))
    expect(await fixture.publish(target)).toMatchObject({ failure: { reason: { code: 'target_other_site' } } })
    await place.write(place.note, note.replace(owner, randomUUID()))
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
  })

  test('is left as it is if a later Galley published there, also where a person would take it over', async () => {
    const place = await aPlace()
    const fixture = await aLibrary()
    const target = await place.addTarget(fixture)
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    const note = JSON.parse((await place.read(place.note)) ?? '') as { readonly version: number }
    const later = JSON.stringify({ ...note, version: note.version + 1 })
    await place.write(place.note, later)
    await fixture.save('post-1', '<h1>Again</h1>')
    const refused = { ok: false, failure: { reason: { code: 'newer_galley', name: place.note } } }
    expect(await fixture.publish(target)).toMatchObject(refused)
    expect(await takeOver(fixture, target, true)).toMatchObject(refused)
    expect([await place.read(place.note), await place.read('one/index.html')]).toEqual([
      later,
      expect.stringContaining('One'),
    ])
  })

  test('is another site’s once that has begun to publish there', async () => {
    const place = await aPlace()
    const fixture = await aLibrary()
    const target = await place.addTarget(fixture)
    await place.begin(randomUUID())
    const foreign = { ok: false, failure: { code: 'target_foreign', reason: { code: 'target_other_site' } } }
    expect(await fixture.publish(target)).toMatchObject(foreign)
    expect(await fixture.publish(target, true)).toMatchObject(foreign)
    expect(await place.read('one/index.html')).toBe(null)
  })

  test('is read as a whole where a person asks for that', async () => {
    const place = await aPlace()
    const fixture = await aLibrary()
    const target = await place.addTarget(fixture)
    const first = await fixture.publish(target)
    const media = first.ok ? (first.value.changes.find(({ path }) => path.startsWith('media/'))?.path ?? '') : ''
    await place.write(media, 'pixture')
    expect(await fixture.publish(target, false, 'warn', { isThorough: true })).toMatchObject({
      ok: true,
      value: {
        changes: [{ path: media, reason: 'altered' }],
        verified: { files: first.ok ? first.value.counts.files : 0 },
      },
    })
    expect(await place.read(media)).toBe('picture')
  })

  test('may hold other files, and only a file where one of the site belongs is refused', async () => {
    const place = await aPlace()
    const fixture = await aLibrary()
    const others = ['README.md', '.well-known/security.txt', 'CNAME', '.htaccess', '@eaDir/one', '.git/config']
    for (const path of others) await place.write(path, 'of a person')
    const target = await place.addTarget(fixture)
    await place.write('index.html', 'my own page')
    expect(await fixture.publish(target)).toMatchObject({
      failure: { code: 'target_foreign', reason: { code: 'target_foreign', name: 'index.html' } },
    })
    await place.remove('index.html')
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    for (const path of others) expect(await place.read(path)).toBe('of a person')
    await place.write('two/index.html', 'my own page')
    await fixture.save('post-2', '<h1>Two</h1>')
    expect(await fixture.publish(target)).toMatchObject({
      failure: { code: 'target_foreign', reason: { code: 'target_foreign', name: 'two/index.html' } },
    })
    expect(await place.read('two/index.html')).toBe('my own page')
  })

  test('does not lose most of its pages without a word, also by a roll back, and a page that moves stays', async () => {
    const place = await aPlace()
    const fixture = await aLibrary()
    const target = await place.addTarget(fixture)
    const first = await fixture.publish(target)
    const { index } = fixture.galley
    await fixture.save('post-2', '<h1>Two</h1>')
    await fixture.save('post-3', '<h1>Three</h1>')
    const site = index.sites.find('acme')
    if (site === null) throw new Error('The test site is missing')
    for (const material of ['post-1', 'post-2', 'post-3'])
      await index.commit.write(() => index.pages.move(site.id, material, `moved/${material}`))
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    const many = { ok: false, failure: { code: 'many_removals', removed: 2, pages: 3 } }
    const release = first.ok ? (first.value.release ?? '') : ''
    expect(await fixture.rollBack(target, release)).toMatchObject(many)
    const drafts = [...index.materials.list('acme')].filter(({ materialId }) => materialId !== 'post-1')
    index.pages.change(
      site.id,
      drafts.map(({ materialId }) => materialId),
      { state: 'draft' },
    )
    expect(await fixture.publish(target)).toMatchObject(many)
    expect(await place.read('moved/post-2/index.html')).toContain('Two')
    // Without its note, the log knows what the target shows.
    await place.remove(place.note)
    expect(await fixture.publish(target)).toMatchObject(many)
    expect(await fixture.publish(target, true)).toMatchObject({
      ok: true,
      value: { removals: { removed: 2, pages: 3 } },
    })
    expect(await fixture.rollBack(target, release, { allowRemovals: true })).toMatchObject({ ok: true })
    expect(await place.read('moved/post-2/index.html')).toBe(null)
  })
})

test.skipIf(!hasSshd)('an SFTP folder gets again what it lost, by the sizes that its server lists', async () =>
  expectLostFilesAgain(await anSftpFolder()),
)

test('a file of the same size is found altered by the hash that a bucket reports', async () => {
  const place = await aBucket()
  const fixture = await aLibrary()
  const target = await place.addTarget(fixture)
  const first = await fixture.publish(target)
  const media = first.ok ? (first.value.changes.find(({ path }) => path.startsWith('media/'))?.path ?? '') : ''
  await place.write(media, 'pixture')
  expect(await fixture.publish(target)).toMatchObject({
    ok: true,
    value: { changes: [{ path: media, reason: 'altered' }] },
  })
  expect(await place.read(media)).toBe('picture')
})

test('a site that is removed and added again is a new one, and its releases are still its own', async () => {
  const place = await aBucket()
  const fixture = await aLibrary()
  const { index } = fixture.galley
  expect(await fixture.publish(await place.addTarget(fixture))).toMatchObject({ ok: true })
  const [site, owner] = [index.sites.find('acme'), index.sites.ownerOf('acme')]
  if (site === null) throw new Error('The test site is missing')
  index.sites.remove(site.id, '2026-11-29T00:00:00.000Z')
  index.sites.put(site)
  expect(index.sites.ownerOf('acme')).not.toBe(owner)
  expect(await fixture.publish(await place.addTarget(fixture))).toMatchObject({ ok: true, value: { changes: [] } })
  expect(await place.read(place.note)).toContain(index.sites.ownerOf('acme'))
})

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'

import { bundlePath, unfinishedFolder } from '../../../packages/library/records/paths.ts'
import { readTargetLocation } from '../../../packages/library/records/target.ts'
import { temporaryName } from '../../../packages/platform/disk/disk.ts'
import { journalText } from '../../../packages/sites/exporting/journal.ts'
import type { TaskProgress } from '../../../packages/wire/task-progress.ts'
import { canMount, mountSmallDisk } from '../../library/log/small-disk.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { createPublishingFixture, filesIn } from './fixture.ts'

/** A web server that serves a folder, or at some paths another text or status. */
async function serve(folder: string, instead: (path: string) => string | number | null = () => null) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname)
    const text = instead(path)
    if (typeof text === 'number') return response.writeHead(text).end()
    if (text !== null) return response.writeHead(200).end(text)
    return readFile(join(folder, path.replace(/\/$/, '/index.html'))).then(
      (bytes) => response.writeHead(200).end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.skipIf(!canMount())('a folder of the target may be another disk', async () => {
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>Without a picture.</p>')
  const web = join(await temporaryFolder(), 'web')
  const target = await fixture.addTarget(`folder:${web}`)
  expect(await fixture.publish(target)).toMatchObject({ ok: true })
  const media = join(web, 'media')
  await mkdir(media)
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', media], { stdio: 'ignore' })
  onTestFinished(() => void execFileSync('umount', ['-l', media], { stdio: 'ignore' }))
  await fixture.save('post-1', '<p><img src="dummy-hero.png" alt=""></p>', { 'hero.png': 'picture' })
  expect(await fixture.publish(target)).toMatchObject({ ok: true })
  const [picture = '', ...rest] = await readdir(media)
  expect(rest).toEqual([])
  expect(await readFile(join(media, picture), 'utf8')).toBe('picture')
})

test('a site is published, published again and rolled back byte for byte, and contains no IDs', async () => {
  const fixture = await createPublishingFixture()
  const version = await fixture.save('post-1', '<h1>First</h1><p>Old text</p>', { 'hero.png': 'picture' })
  const web = join(await temporaryFolder(), 'web')
  const target = await fixture.addTarget(`folder:${web}`)

  const plan = await fixture.publish(target, true)
  expect(plan).toMatchObject({ ok: true, value: { release: null, counts: { removed: 0, unchanged: 0 } } })
  await expect(stat(web)).rejects.toThrow()

  const first = await fixture.publish(target)
  if (!first.ok) throw new Error(JSON.stringify(first.failure))
  const firstFiles = await filesIn(web)
  // Its address comes from its title.
  const pagePath = first.value.pages[0]?.path ?? ''
  expect(first.value.verified?.files).toBeGreaterThan(2)
  expect([...firstFiles.values()].join('\n')).not.toContain(version)
  expect((await stat(join(web, 'index.html'))).mode & 0o777).toBe(0o644)
  const untouched = (await stat(join(web, 'favicon.svg'))).mtimeMs

  await fixture.save('post-1', '<h1>First</h1><p>New text</p>')
  const second = await fixture.publish(target)
  if (!second.ok) throw new Error(JSON.stringify(second.failure))
  expect(second.value.changes).toContainEqual(
    expect.objectContaining({ path: pagePath, change: 'changed', reason: 'content' }),
  )
  expect(second.value.counts.removed).toBe(1)
  expect((await stat(join(web, 'favicon.svg'))).mtimeMs).toBe(untouched)
  expect((await filesIn(web)).get(pagePath)?.toString()).toContain('New text')

  // Nothing has changed since: no release is made.
  expect(await fixture.publish(target)).toMatchObject({
    ok: true,
    value: { release: second.value.release, changes: [] },
  })

  const back = await fixture.rollBack(target, first.value.release ?? '')
  if (!back.ok) throw new Error(JSON.stringify(back.failure))
  // The manifest names the new release.
  const site = ([path]: readonly [string, Buffer]): boolean => path !== bundlePath.manifest
  expect([...(await filesIn(web))].filter(site)).toEqual([...firstFiles].filter(site))
  const history = await fixture.galley.releasing.history(target)
  expect(history.map(({ id, rollbackOf, isCurrent }) => [id, rollbackOf, isCurrent])).toEqual([
    [back.value.release, first.value.release, true],
    [second.value.release, null, false],
    [first.value.release, null, false],
  ])
  // The version that is shown again is kept, although a newer one exists.
  const row = fixture.galley.index.retention.material('acme', 'post-1')?.row ?? 0
  expect(fixture.galley.index.retention.history(row).map(({ protection }) => protection)).toEqual([
    'current',
    'exported',
  ])
})

test('texts of a theme in any encoding are published as they are', async () => {
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>Text</p>')
  const [theme, web] = [await temporaryFolder(), join(await temporaryFolder(), 'web')]
  await mkdir(join(theme, 'assets'))
  const licence = Buffer.from('\xa9 a foundry', 'latin1')
  await writeFile(join(theme, 'assets/licence.txt'), licence)
  const target = await fixture.addTarget(`folder:${web}`)
  const site = fixture.galley.index.sites.find('acme')
  if (site === null) throw new Error('The test site is missing')
  const options = { site, target, themesOf: () => [theme, ...fixture.themes], by: 'person' } as const
  expect(await fixture.galley.releasing.publish(options, fixture.task)).toMatchObject({ ok: true })
  expect([...(await filesIn(web)).values()]).toContainEqual(licence)
})

test('a wrong public URL fails before readers see anything, and after a wrong copy the old release is restored', async () => {
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>One</p>')
  const [web, elsewhere] = [join(await temporaryFolder(), 'web'), await temporaryFolder()]
  const wrong = await fixture.addTarget(`folder:${web}`, { publicUrl: await serve(elsewhere) })
  expect(await fixture.publish(wrong)).toMatchObject({ ok: false, failure: { code: 'not_public' } })
  expect([...(await filesIn(web)).keys()]).toEqual([])

  // A server that keeps showing the old page.
  let isStale = false
  const publicUrl = await serve(web, (path) => (isStale && path.endsWith('post-1/index.html') ? 'an old copy' : null))
  const target = await fixture.addTarget(`folder:${web}`, { publicUrl })
  expect(await fixture.publish(target)).toMatchObject({ ok: true, value: { verified: { via: 'public_url' } } })
  const before = await filesIn(web)
  isStale = true
  await fixture.save('post-1', '<p>Two</p>')
  expect(await fixture.publish(target)).toMatchObject({
    ok: false,
    failure: { code: 'not_verified', path: 'post-1/index.html', state: 'put_back' },
  })
  expect(await filesIn(web)).toEqual(before)
})

test('a server that applies the list of redirects and hides it and the error page counts as public', async () => {
  const fixture = await createPublishingFixture()
  const { index } = fixture.galley
  await fixture.save('post-1', '<p>One</p>')
  const web = join(await temporaryFolder(), 'web')
  let former: string | null = null
  const publicUrl = await serve(web, (path) => {
    if (path === '/404.html' || path === '/_redirects') return 404
    return path === `/${former}` ? 'the page at its new address' : null
  })
  const target = await fixture.addTarget(`folder:${web}`, { publicUrl })
  const first = await fixture.publish(target)
  former = first.ok ? (first.value.pages[0]?.path ?? '') : ''
  await index.commit.write(() => index.pages.move(target.site, 'post-1', 'elsewhere'))
  const moved = await fixture.publish(target)
  expect(moved).toMatchObject({ ok: true, value: { verified: { via: 'public_url' } } })
  expect([...(await filesIn(web)).keys()]).toEqual(expect.arrayContaining(['_redirects', former]))
  // Their texts change, and with them the pages that redirect.
  await fixture.save('post-1', '<h1>Two</h1>')
  expect(await fixture.publish(target)).toMatchObject({ ok: true })
  expect(await fixture.rollBack(target, moved.ok ? (moved.value.release ?? '') : '')).toMatchObject({ ok: true })
})

async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
}

test.skipIf(!canMount())('a full disk keeps the old release, and takes the new one once there is room', async () => {
  const disk = mountSmallDisk(8)
  if (disk === null) throw new Error('No small disk')
  onTestFinished(disk.unmount)
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>Old text</p>')
  const web = join(disk.folder, 'web')
  const target = await fixture.addTarget(`folder:${web}`)
  expect(await fixture.publish(target)).toMatchObject({ ok: true })
  const before = await filesIn(web)
  const folders = await foldersIn(web)
  disk.fill(1_000_000)
  await fixture.save('post-1', '<p>New text</p>', { 'film.mp4': Buffer.alloc(2_000_000, 'film') })
  for (const name of ['a', 'b', 'c']) await fixture.save(name, '<p>New</p>', { [`${name}.png`]: `a picture ${name}` })
  expect(await fixture.publish(target)).toMatchObject({
    failure: { code: 'target_failed', reason: { code: 'disk_full' }, state: 'unchanged' },
  })
  const {
    [bundlePath.journal]: journal,
    [`${unfinishedFolder}/.gitignore`]: ignored,
    ...left
  } = Object.fromEntries(await filesIn(web))
  expect([journal, ignored?.toString()]).toEqual([expect.anything(), '*\n'])
  expect(left).toEqual(Object.fromEntries(before))
  expect(await foldersIn(web)).toEqual([...folders, unfinishedFolder].toSorted())
  await rm(join(disk.folder, 'ballast'))
  expect(await fixture.publish(target)).toMatchObject({ ok: true })
  expect((await filesIn(web)).get('post-1/index.html')?.toString()).toContain('New text')
})

test('a publication that is stopped while it writes keeps the old release, and reports its progress', async () => {
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>Old text</p>')
  const target = await fixture.addTarget(`folder:${join(await temporaryFolder(), 'web')}`)
  expect(await fixture.publish(target)).toMatchObject({ ok: true })
  const site = fixture.galley.index.sites.find('acme')
  if (site === null) throw new Error('The test site is missing')
  await fixture.save('post-1', '<p>New text</p>', { 'a.png': 'a picture' })
  const stop = new AbortController()
  const progress = ({ step, done }: TaskProgress): void => {
    if (step === 'writing' && done > 0) stop.abort()
  }
  const options = { site, target, themesOf: () => fixture.themes, by: 'person' } as const
  expect(await fixture.galley.releasing.publish(options, { signal: stop.signal, progress })).toMatchObject({
    failure: { code: 'publish_stopped', state: 'unchanged' },
  })
  expect(await fixture.publish(target)).toMatchObject({ ok: true })
})

test('refuses a foreign folder, a concurrent publication, and a target of a restored library', async () => {
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>One</p>')
  const web = join(await temporaryFolder(), 'web')
  const target = await fixture.addTarget(`folder:${web}`)
  const both = await Promise.all([fixture.publish(target), fixture.publish(target)])
  expect(both.filter((each) => each.ok)).toHaveLength(1)
  expect(both.find((each) => !each.ok)).toMatchObject({ failure: { code: 'busy' } })

  await mkdir(join(web, '../other'))
  await writeFile(join(web, '../other/index.html'), 'mine')
  const foreign = await fixture.addTarget(`folder:${join(web, '../other')}`, { name: 'foreign' })
  expect(await fixture.publish(foreign)).toMatchObject({ ok: false, failure: { code: 'target_foreign' } })

  fixture.galley.index.forgetMachine()
  expect(await fixture.publish(target)).toMatchObject({ ok: false, failure: { code: 'target_unconfirmed' } })
})

test('a release with lost texts is not kept, and is refused as such', async () => {
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>One</p>')
  const target = await fixture.addTarget(`folder:${join(await temporaryFolder(), 'web')}`)
  const first = await fixture.publish(target)
  if (!first.ok) throw new Error(JSON.stringify(first.failure))
  const isKept = async () => (await fixture.galley.releasing.history(target)).map((release) => release.isKept)
  expect(await isKept()).toEqual([true])
  await rm(join(fixture.folder, 'releases'), { recursive: true })
  const release = first.value.release ?? ''
  expect(await isKept()).toEqual([false])
  expect(await fixture.rollBack(target, release)).toMatchObject({ failure: { code: 'release_not_kept' } })
  expect(await fixture.rollBack(target, 'r0')).toMatchObject({ failure: { code: 'unknown_release' } })
})

test('counts only the files of the site, and publishes nothing with broken links if they are to block', async () => {
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p><a href="galley:material/nobody">Gone</a></p>', { 'hero.png': 'picture' })
  const web = join(await temporaryFolder(), 'web')
  const target = await fixture.addTarget(`folder:${web}`)
  expect(await fixture.publish(target, false, 'block')).toMatchObject({ ok: false, failure: { code: 'broken_links' } })
  await expect(stat(web)).rejects.toThrow()
  const first = await fixture.publish(target)
  if (!first.ok) throw new Error(JSON.stringify(first.failure))
  const { counts, changes, verified } = first.value
  const there = (await filesIn(web)).size - 1
  expect(counts).toMatchObject({ files: there, added: there, changed: 0, unchanged: 0 })
  expect(changes).toHaveLength(there)
  expect(verified).toEqual({ files: there, via: 'target', found: 0 })
})

test('media outside the sample are looked up', async () => {
  const fixture = await createPublishingFixture()
  const files = Object.fromEntries(Array.from({ length: 45 }, (_, at) => [`p${at}.png`, `picture ${at}`]))
  await fixture.save('post-1', '<p>Pictures</p>', files)
  const target = await fixture.addTarget(`folder:${join(await temporaryFolder(), 'web')}`)
  const first = await fixture.publish(target)
  if (!first.ok) throw new Error(JSON.stringify(first.failure))
  expect(first.value.verified?.found).toBeGreaterThan(20)
  expect((first.value.verified?.files ?? 0) + (first.value.verified?.found ?? 0)).toBe(first.value.counts.files)
})

test('a first publication that fails leaves an empty folder, however often it is tried', async () => {
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>One</p>')
  const web = join(await temporaryFolder(), 'web')
  const publicUrl = await serve(web, (path) => (path.endsWith('post-1/index.html') ? 'another page' : null))
  const target = await fixture.addTarget(`folder:${web}`, { publicUrl })
  for (const _try of [1, 2]) {
    expect(await fixture.publish(target)).toMatchObject({ failure: { code: 'not_verified', state: 'put_back' } })
    expect([...(await filesIn(web)).keys()]).toEqual([])
  }
})

test('a link to the place of another target is that place', async () => {
  const fixture = await createPublishingFixture()
  const folder = await temporaryFolder()
  await symlink(folder, join(folder, 'link'))
  const target = await fixture.addTarget(`folder:${join(folder, 'web')}`)
  const { holderOf } = fixture.galley.releasing.targets
  const other = { ...target, name: 'other', place: { kind: 'folder', directory: join(folder, 'link/web') } } as const
  expect(await holderOf(other)).toMatchObject({ name: 'live' })
  expect(await holderOf({ ...other, place: { ...other.place, directory: join(folder, 'link/elsewhere') } })).toBe(null)
})

test('a target that was moved, or added again elsewhere, does not count as current', async () => {
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>One</p>')
  const site = fixture.galley.index.sites.find('acme')
  if (site === null) throw new Error('The test site is missing')
  const folder = await temporaryFolder()
  const { releasing } = fixture.galley
  const stateOf = async (name: string) => {
    const target = await fixture.addTarget(`folder:${join(folder, name)}`)
    return (await releasing.targetStates(site, [target])).get('live')
  }
  const target = await fixture.addTarget(`folder:${join(folder, 'a')}`)
  expect(await fixture.publish(target)).toMatchObject({ ok: true })
  expect(await stateOf('a')).toBe('current')
  expect(await stateOf('b')).toBe('behind')
  expect(await fixture.publish(await fixture.addTarget(`folder:${join(folder, 'b')}`))).toMatchObject({ ok: true })
  expect(await stateOf('b')).toBe('current')
  await releasing.targets.remove(await fixture.addTarget(`folder:${join(folder, 'b')}`))
  expect(await stateOf('c')).toBe('behind')
})

test('what a killed publication left is cleared up, although its changes were taken back', async () => {
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>One</p>')
  const web = join(await temporaryFolder(), 'web')
  const target = await fixture.addTarget(`folder:${web}`)
  const first = await fixture.publish(target)
  if (!first.ok) throw new Error(JSON.stringify(first.failure))
  const before = await filesIn(web)
  const unfinished = join(web, unfinishedFolder)
  await mkdir(unfinished)
  await writeFile(join(web, bundlePath.journal), journalText(['index.html', 'post-1/index.html']))
  await writeFile(join(unfinished, temporaryName()), 'not published')
  expect(await fixture.publish(target)).toMatchObject({ ok: true, value: { release: first.value.release } })
  expect(await filesIn(web)).toEqual(before)
  expect(await readdir(web)).not.toContain(unfinishedFolder)
})

test('publications that were killed before the log had them, one after another, do not lose the target', async () => {
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>One</p>')
  const web = join(await temporaryFolder(), 'web')
  const target = await fixture.addTarget(`folder:${web}`)
  const { index } = fixture.galley
  expect(await fixture.publish(target)).toMatchObject({ ok: true })
  await fixture.save('post-1', '<p>Two</p>')
  const asKilled = join(await temporaryFolder(), 'web')
  const adding = vi.spyOn(index.releases, 'add').mockImplementation(() => {
    cpSync(web, asKilled, { recursive: true })
    throw new Error('killed')
  })
  await fixture.publish(target).catch(() => undefined)
  adding.mockRestore()
  // A process that is killed puts nothing back.
  await rm(web, { recursive: true })
  await cp(asKilled, web, { recursive: true })
  expect(await fixture.galley.releasing.history(target)).toHaveLength(1)
  await fixture.save('post-1', '<p>Three</p>')
  // Ends after it has noted its release, and before it writes.
  const unreachable = { ...target, publicUrl: await serve(await temporaryFolder()) }
  expect(await fixture.publish(unreachable)).toMatchObject({ ok: false, failure: { code: 'not_public' } })
  expect(await fixture.publish(target)).toMatchObject({ ok: true })
})

test('an SFTP address without a path is refused with the form of an address', () => {
  for (const text of ['sftp:me@web.example', 'sftp:me@web.example:22', 'sftp:web.example/www'])
    expect(readTargetLocation(text, { endpoint: null, region: null })).toEqual({
      ok: false,
      failure: 'a target must be folder:DIR, s3:BUCKET/PREFIX or sftp:USER@HOST[:PORT]/PATH',
    })
})

test('a prefix of a bucket has one form', () => {
  const prefixOf = (text: string) => {
    const read = readTargetLocation(text, { endpoint: null, region: null })
    return read.ok && read.value.kind === 's3' ? read.value.prefix : null
  }
  expect(['s3:web/a//b/', 's3:web//a/b', 's3:web/a/b'].map(prefixOf)).toEqual(['a/b', 'a/b', 'a/b'])
  expect(['s3:web//', 's3:web'].map(prefixOf)).toEqual(['', ''])
})

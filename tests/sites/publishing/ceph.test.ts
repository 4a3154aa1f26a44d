import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import type { SiteInput } from '../../../packages/library/records/site-input.ts'
import type { CephGateway, Keys } from '../../support/ceph.ts'
import { anotherGateway, hasCeph, sharedCeph } from '../../support/ceph.ts'
import type { Line } from '../../support/slow-link.ts'
import { startLink } from '../../support/slow-link.ts'
import { aFontsSave, aSave, createTestGalley, temporaryFolder } from '../../support/test-galley.ts'

const megabyte = 1024 * 1024

describe.skipIf(!hasCeph)('a bucket of a real Ceph RADOS Gateway', () => {
  let ceph: CephGateway
  let open: string
  beforeAll(async () => {
    ceph = await sharedCeph()
    open = await ceph.aBucket('public')
  })

  let prefixes = 0
  interface FixtureOptions {
    /** Another one, or one of another kind, than the one that all may read. */
    readonly bucket?: string
    readonly kind?: 'private' | 'read_only'
    readonly keys?: Keys
    readonly endpoint?: string
    readonly line?: Line
    readonly site?: Partial<SiteInput>
    readonly folder?: string
    /** The prefix that the public URL names; the one of the files if it is missing. */
    readonly shownPrefix?: string
  }
  /** A library whose site publishes under a prefix of its own. */
  async function createFixture({
    bucket: named = open,
    kind,
    keys = ceph.owner,
    endpoint = ceph.url,
    line,
    site,
    folder,
    shownPrefix,
  }: FixtureOptions = {}) {
    const bucket = kind ? await ceph.aBucket(kind) : named
    const link = line ? await startLink(endpoint, line) : null
    if (link) onTestFinished(link.close)
    const prefix = `web${(prefixes += 1)}`
    const fixture = await createTestGalley({
      site: {
        publish: `s3:${bucket}/${prefix}`,
        publicUrl: `${ceph.url}/${bucket}/${shownPrefix ?? prefix}`,
        s3Endpoint: link?.url ?? endpoint,
        ...site,
      },
      edges: folder === undefined ? {} : { folder },
    })
    await fixture.galley.secrets.writer?.setBucketKeys(fixture.galley.index.sites.list()[0]!.id, keys)
    await fixture.know('post-1')
    const save = async (files: Record<string, Buffer>) => {
      const { body, headers } = aSave(fixture.service, { files })
      return fixture.post(body, headers)
    }
    /** Without the one that names the library. */
    const objects = async () =>
      (await ceph.keys(bucket)).filter((key) => key.startsWith(`${prefix}/`) && key !== `${prefix}/galley-library.json`)
    return { ...fixture, link, prefix, save, objects }
  }

  test('media and fonts can be fetched by anyone once they are saved', async () => {
    const fixture = await createFixture()
    const answer = await fixture.save({ 'a b/имя (1)+%.png': Buffer.from('small'), 'empty.txt': Buffer.alloc(0) })
    expect(answer.json.rc, answer.text).toBe(1)
    const [version] = fixture.galley.index.versions.list('acme', 'post-1')
    for (const [name, content] of [
      ['a b/имя (1)+%.png', 'small'],
      ['empty.txt', ''],
    ] as const) {
      const got = await fetch((version?.publicUrls[name] ?? '').replaceAll('%2F', '/'))
      expect([got.status, await got.text()]).toEqual([200, content])
      expect(got.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
    const fonts = aFontsSave(fixture.service, 's1', {
      'vms_fonts/a.woff2': 'font',
      'vms_fonts.css': 'a{}',
      'vms_fonts.json': '{}',
    })
    expect((await fixture.post(fonts.body, fonts.headers)).json.rc).toBe(1)
    const css = await fetch(`${ceph.url}/${open}/${fixture.prefix}/fonts/acme/current.css`)
    expect([css.status, css.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
  })

  test('a large file is uploaded in parts, and only a lost part is sent again', async () => {
    // The first connections are cut after two megabytes each, in the middle of their parts.
    const fixture = await createFixture({ line: { cutAfterBytes: (nth) => (nth <= 6 ? 2 * megabyte : Infinity) } })
    const large = randomBytes(32 * megabyte)
    const answer = await fixture.save({ 'film.mp4': large })
    expect(answer.json.rc, answer.text).toBe(1)
    const got = await fetch(fixture.galley.index.versions.list('acme', 'post-1')[0]?.publicUrls['film.mp4'] ?? '')
    expect(Buffer.from(await got.arrayBuffer()).equals(large)).toBe(true)
    expect(fixture.link?.sentBytes()).toBeLessThan(32 * megabyte + 6 * 6 * megabyte)
    expect(await ceph.openUploads(open)).toEqual([])
  })

  test('existing objects are not sent again', async () => {
    const fixture = await createFixture({ line: {} })
    const files = { 'film.mp4': randomBytes(16 * megabyte), 'a.png': randomBytes(megabyte) }
    expect((await fixture.save(files)).json.rc).toBe(1)
    const before = fixture.link?.sentBytes() ?? 0
    expect(before).toBeGreaterThan(17 * megabyte)
    const again = await fixture.save(files)
    expect(again.json.rc, again.text).toBe(1)
    expect((fixture.link?.sentBytes() ?? 0) - before).toBeLessThan(20_000)
  })

  test('a drawing that may run scripts is a download, also one that an earlier Galley sent', async () => {
    const fixture = await createFixture({ line: {} })
    const drawing = (content: string) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`)
    const files = {
      'plain.svg': drawing('<path d="M0 0"/>'),
      'script.svg': drawing('<script>alert(1)</script>'),
      'large.svg': drawing(`<path d="${'M0 0'.repeat(64 * 1024)}"/>`),
    }
    const seen = async () => {
      const urls = fixture.galley.index.versions.list('acme', 'post-1')[0]?.publicUrls ?? {}
      const answers = await Promise.all(Object.keys(files).map((name) => fetch(urls[name] ?? '')))
      return answers.map(({ status, headers }) => [
        status,
        headers.get('content-type'),
        headers.get('content-disposition'),
      ])
    }
    const shown = [200, 'image/svg+xml', null]
    const download = [200, 'image/svg+xml', 'attachment']
    expect((await fixture.save(files)).json.rc).toBe(1)
    expect(await seen()).toEqual([shown, download, download])
    const scripted = (await fixture.objects()).find((key) => key.endsWith('script.svg')) ?? ''
    await ceph.put(`${open}/${scripted}`, files['script.svg'].toString())
    expect((await seen())[1]?.[2]).toBe(null)
    expect((await fixture.save(files)).json.rc).toBe(1)
    expect(await seen()).toEqual([shown, download, download])
    const before = fixture.link?.sentBytes() ?? 0
    expect((await fixture.save(files)).json.rc).toBe(1)
    expect((fixture.link?.sentBytes() ?? 0) - before).toBeLessThan(20_000)
  })

  test('files of a failed save are deleted, except those of stored versions', async () => {
    const fixture = await createFixture({ site: { publicUrl: 'http://127.0.0.1:1' } })
    const files = { 'a.png': randomBytes(2000), 'film.mp4': randomBytes(12 * megabyte) }
    const failed = await fixture.save(files)
    expect([failed.status, failed.json.code]).toEqual([500, 'storage_failed'])
    expect(await fixture.objects()).toEqual([])
    fixture.changeSite({ publicUrl: `${ceph.url}/${open}/${fixture.prefix}` })
    expect((await fixture.save(files)).json.rc).toBe(1)
    const stored = await fixture.objects()
    expect(stored).toHaveLength(2)
    fixture.changeSite({ publicUrl: 'http://127.0.0.1:1' })
    expect((await fixture.save({ ...files, 'b.png': randomBytes(100) })).json.code).toBe('storage_failed')
    expect(await fixture.objects()).toEqual(stored)
  })

  test.for([
    ['a wrong access key', { keys: { id: 'NOBODY', secret: 'x' } }, 'the storage does not know the access key'],
    ['a wrong secret key', { keys: { id: 'GALLEYKEY', secret: 'wrong-secret' } }, 'the secret access key is wrong'],
    ['a missing bucket', { bucket: 'nowhere' }, 'there is no bucket nowhere at this endpoint'],
    [
      'a bucket that may only be read',
      { kind: 'read_only', keys: { id: 'READERKEY', secret: 'READERSECRET' } },
      'the bucket denies access with these keys',
    ],
    [
      'a public URL with another prefix of a public bucket',
      { shownPrefix: 'elsewhere' },
      'or correct the URL: a bucket also denies access to files that it does not have',
    ],
    ['a private bucket', { kind: 'private' }, 'the public URL denies access to them'],
    [
      'a public URL where nobody is',
      { site: { publicUrl: 'http://127.0.0.1:1/x' } },
      'the public URL does not respond',
    ],
    ['an endpoint where nobody is', { endpoint: 'http://127.0.0.1:1' }, 'the bucket cannot be reached'],
  ] as const)('%s fails the save, in words', async ([, options, words]) => {
    for (const size of [2000, 12 * megabyte]) {
      const fixture = await createFixture(options)
      const answer = await fixture.save({ 'a.png': randomBytes(size) })
      expect([answer.status, answer.json.code], answer.text).toEqual([500, 'storage_failed'])
      expect(answer.text).toContain(words)
      expect(answer.text).not.toMatch(/secret-|GALLEYSECRET|READERSECRET|wrong-secret/)
      expect(fixture.galley.index.versions.list('acme', 'post-1')).toEqual([])
      await fixture.close()
    }
  })

  test('the next save deletes the upload of a killed Galley and aborts its parts', async () => {
    const folder = await temporaryFolder()
    const fixture = await createFixture({ folder })
    const { root, keys } = {
      root: `${ceph.url}/${open}`,
      keys: [`${fixture.prefix}/media/x/one.png`, `${fixture.prefix}/film`],
    }
    await ceph.put(`${open}/${keys[0]}`, 'left over')
    const id = await ceph.beginUpload(`${open}/${keys[1]}`)
    const path = '/media/00000000000000000000000000000000/one.png'
    const left = { root, objects: [{ key: keys[0], path }], uploads: [{ key: keys[1], id }] }
    // Recorded by an earlier process of this machine before it sent anything.
    fixture.galley.index.settings.put('unsettled-upload/4194399/a', JSON.stringify(left))
    fixture.galley.index.settings.put(`unsettled-upload/1/b`, JSON.stringify({ ...left, root: 'http://elsewhere' }))
    expect((await fixture.save({ 'a.png': randomBytes(10) })).json.rc).toBe(1)
    expect(await fixture.objects()).toHaveLength(1)
    expect(await fixture.objects()).not.toContain(keys[0])
    expect(await ceph.openUploads(open)).toEqual([])
    expect(fixture.galley.index.settings.startingWith('unsettled-upload/').map(({ name }) => name)).toEqual([
      'unsettled-upload/1/b',
    ])
  })

  test('a file of a failing save stays if a concurrent save relies on it', async () => {
    const shared = { 'shared.png': randomBytes(500) }
    // The first save waits for its large file, which never arrives. The second one finds the small file and is stored.
    const fixture = await createFixture({ line: { cutAfterBytes: () => 3 * megabyte } })
    const failing = fixture.save({ ...shared, 'film.mp4': randomBytes(20 * megabyte) })
    await expect.poll(fixture.objects).toHaveLength(1)
    await fixture.know('post-2')
    const other = aSave(fixture.service, { materialId: 'post-2', files: shared })
    expect((await fixture.post(other.body, other.headers)).json.rc).toBe(1)
    expect((await failing).json.code).toBe('storage_failed')
    expect(await fixture.objects()).toHaveLength(1)
    expect(await ceph.openUploads(open)).toEqual([])
    const [version] = fixture.galley.index.versions.list('acme', 'post-2')
    expect((await fetch(version?.publicUrls['shared.png'] ?? '')).status).toBe(200)
  })

  test('a storage that fails during a save fails the save; the same save is stored after its return', async () => {
    const killed = await anotherGateway(ceph)
    onTestFinished(killed.killGateway)
    const fixture = await createFixture({ endpoint: killed.url, line: { bytesPerSecond: 8 * megabyte } })
    const files = { 'film.mp4': randomBytes(24 * megabyte) }
    const saving = fixture.save(files)
    await expect.poll(() => fixture.link?.sentBytes()).toBeGreaterThan(8 * megabyte)
    await killed.killGateway()
    const answer = await saving
    expect([answer.status, answer.json.code]).toEqual([500, 'storage_failed'])
    expect(answer.text).toMatch(/the bucket cannot be reached|the connection to the bucket kept breaking/)
    await killed.startGateway()
    expect((await fixture.save(files)).json.rc).toBe(1)
    expect(await ceph.openUploads(open)).toEqual([])
  })

  test('200 files are uploaded concurrently over a connection with 50 ms latency', async () => {
    const fixture = await createFixture({ line: { latencyMs: 50 } })
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`${at}.png`, randomBytes(3000)]))
    const answer = await fixture.save(files)
    expect(answer.json.rc, answer.text).toBe(1)
    expect(await fixture.objects()).toHaveLength(200)
    // In sequence they would use one connection, without a limit two hundred.
    expect(fixture.link?.connections()).toBeGreaterThan(8)
    expect(fixture.link?.connections()).toBeLessThanOrEqual(16)
  })

  test('the check of a target reports what works', async () => {
    const fixture = await createFixture()
    const site = (await fixture.galley.sites.find('acme'))!
    const before = await fixture.galley.publishers.check(site, true)
    expect(before.map(({ code }) => code)).toEqual([
      'target_written',
      'public_readable',
      'cors_missing',
      'target_deleted',
    ])
    await ceph.allowOrigins(open)
    const after = await fixture.galley.publishers.check(site, true)
    expect(after.map(({ code }) => code)).toEqual([
      'target_written',
      'public_readable',
      'cors_allowed',
      'target_deleted',
    ])
    expect(await fixture.objects()).toEqual([])
  })
})

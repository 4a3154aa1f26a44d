import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import type { CephGateway } from '../../support/ceph.ts'
import { anotherGateway, hasCeph, sharedCeph } from '../../support/ceph.ts'
import { startIndexPages } from '../../support/index-pages.ts'
import type { Line } from '../../support/slow-link.ts'
import { startLink } from '../../support/slow-link.ts'
import { startProxy } from './faulty-proxy.ts'
import type { PublishingFixture } from './fixture.ts'
import { createPublishingFixture } from './fixture.ts'

describe.skipIf(!hasCeph)('a site in a bucket of a real Ceph RADOS Gateway', () => {
  let ceph: CephGateway
  let open: string
  beforeAll(async () => {
    ceph = await sharedCeph()
    open = await ceph.aBucket('public')
  })

  const key = () => `${ceph.owner.id}:${ceph.owner.secret}`
  let prefixes = 0
  async function aBucketTarget(fixture: PublishingFixture, endpoint = ceph.url, compress = false) {
    const prefix = `site${(prefixes += 1)}`
    const publicUrl = `${await startIndexPages(ceph.url)}/${open}/${prefix}`
    const target = await fixture.addTarget(`s3:${open}/${prefix}`, { endpoint, publicUrl, key: key(), compress })
    const page = async (path: string) => {
      const answer = await fetch(`${ceph.url}/${open}/${prefix}/${path}`)
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    }
    const keys = async () =>
      (await ceph.keys(open))
        .filter((each) => each.startsWith(`${prefix}/`))
        .map((each) => each.slice(prefix.length + 1))
    return { target, page, keys }
  }

  test('pages and media have their types, only what differs is sent, and a release comes back', async () => {
    const fixture = await createPublishingFixture()
    await fixture.save('post-1', '<p>Old text</p>', { 'hero.png': 'picture' })
    const { target, page, keys } = await aBucketTarget(fixture, ceph.url, true)
    expect((await fixture.galley.releasing.check(target)).map(({ name, ok }) => [name, ok])).toEqual([
      ['connect', true],
      ['write', true],
      ['public_url', true],
      ['missing_page', true],
    ])
    const first = await fixture.publish(target)
    if (!first.ok) throw new Error(JSON.stringify(first.failure))
    const shown = await page('post-1/index.html')
    expect(shown.text).toContain('Old text')
    expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(shown.headers.get('content-encoding')).toBe('gzip')
    expect(shown.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    const media = (await keys()).find((each) => each.startsWith('media/')) ?? ''
    expect((await page(media)).headers.get('cache-control')).toContain('immutable')
    expect((await keys()).filter((each) => each.startsWith('.galley/'))).toEqual(['.galley/release.json'])
    expect((await page('.galley/release.json')).text).not.toContain('v1')

    const site = fixture.galley.index.sites.find('acme')
    const material = fixture.galley.index.materials.find('acme', 'post-1')
    if (site === null || material === null) throw new Error('The test page is missing')
    const change = (redirectsFrom: readonly string[]) =>
      fixture.galley.index.pages.change(site.id, [material.materialId], { redirectsFrom })
    change(["новости/My page & it's"])
    expect(await fixture.publish(target)).toMatchObject({ ok: true, value: { verified: { via: 'public_url' } } })
    expect((await page("новости/My page & it's/index.html")).text).toContain('http-equiv="refresh"')
    change([])
    expect(await fixture.publish(target)).toMatchObject({ ok: true, value: { counts: { removed: 2 } } })

    await fixture.save('post-1', '<p>New text</p>')
    const second = await fixture.publish(target)
    expect(second).toMatchObject({
      ok: true,
      value: { counts: { added: 0, removed: 1 }, verified: { via: 'public_url' } },
    })
    expect((await page('post-1/index.html')).text).toContain('New text')
    // Without keys, S3 answers 403 for a missing object.
    expect((await page(media)).status).toBe(403)

    expect(await fixture.rollBack(target, first.value.release ?? '')).toMatchObject({
      ok: true,
      value: { counts: { added: 1 } },
    })
    expect((await page('post-1/index.html')).text).toContain('Old text')
    expect((await page(media)).text).toBe('picture')
  })

  test('a media file that is compressed by itself is read back as it is, and names with a hash are kept for ever', async () => {
    const fixture = await createPublishingFixture()
    await fixture.save('post-1', '<p>Text</p>', { 'data.gz': gzipSync('data') })
    const target = await fixture.addTarget(`s3:${open}/packed`, { endpoint: ceph.url, key: key(), compress: true })
    expect(await fixture.publish(target)).toMatchObject({ ok: true, value: { verified: { via: 'target' } } })
    const named = (await ceph.keys(open)).filter((each) => /^packed\/(?:media|theme)\//.test(each))
    expect(named.some((each) => each.endsWith('.css'))).toBe(true)
    for (const each of named) {
      const { headers } = await fetch(`${ceph.url}/${open}/${each}`)
      expect([each, headers.get('cache-control')]).toEqual([each, 'public, max-age=31536000, immutable'])
    }
  })

  test.each([
    ['a new page', /post-2\/index\.html/, 'unchanged'],
    ['a replaced page', /site\d+\/index\.html/, 'put_back'],
  ] as const)('a storage that fails at %s shows the old ones, and the next publication continues', async (...each) => {
    const [, fails, aftermath] = each
    const fixture = await createPublishingFixture()
    await fixture.save('post-1', '<p>Old text</p>', { 'hero.png': 'picture' })
    let broken: RegExp | null = null
    let sent = 0
    const proxy = await startProxy(ceph.url, (method, path) => {
      if (method === 'PUT' && path.includes('/media/')) sent += 1
      // The storage works again when the previous release is put back, which begins with this note.
      if (broken !== null && sent > 0 && /unfinished\.json/.test(path) && method === 'PUT') broken = null
      return broken !== null && method === 'PUT' && broken.test(path) ? 500 : null
    })
    const { target, page } = await aBucketTarget(fixture, proxy)
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    await fixture.save('post-1', '<p>New text</p>', { 'other.png': 'another picture' })
    await fixture.save('post-2', '<p>Second</p>')
    sent = 0
    broken = fails
    expect(await fixture.publish(target)).toMatchObject({
      ok: false,
      failure: { code: 'target_failed', reason: { code: 'bucket_busy' }, state: aftermath },
    })
    expect((await page('post-1/index.html')).text).toContain('Old text')
    expect((await page('post-2/index.html')).status).toBe(403)
    expect(sent).toBe(1)
    broken = null
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    expect((await page('post-1/index.html')).text).toContain('New text')
    expect((await page('post-2/index.html')).text).toContain('Second')
  })

  test.each(['media', 'pages'] as const)(
    'a storage that is killed while %s are sent: readers see whole pages, and the next publication sends what is missing',
    async (moment) => {
      const fixture = await createPublishingFixture()
      const posts = [0, 1, 2, 3, 4, 5]
      const saveAll = async (word: string): Promise<void> => {
        for (const at of posts)
          await fixture.save(`post-${at}`, `<p>${word} ${at}</p>`, {
            'a.png': Buffer.alloc(200_000, `${word} ${at}`),
            // Sent in parts, so that not all media are complete when the first ones are.
            ...(at === 0 && { 'film.mp4': Buffer.alloc(30 * 1024 ** 2, word) }),
          })
      }
      await saveAll('Old')
      const trigger = moment === 'media' ? /\/media\// : /post-\d\/index\.html/
      const there: string[] = []
      const kill = { isWanted: false, done: Promise.resolve() }
      const killed = await anotherGateway(ceph)
      onTestFinished(killed.killGateway)
      const proxy = await startProxy(
        killed.url,
        () => null,
        (path) => {
          there.push(path)
          if (!kill.isWanted || there.filter((each) => trigger.test(each)).length !== 3) return
          kill.isWanted = false
          kill.done = killed.killGateway()
        },
      )
      const { target, page } = await aBucketTarget(fixture, proxy)
      expect(await fixture.publish(target)).toMatchObject({ ok: true })
      await saveAll('New')
      there.length = 0
      kill.isWanted = true
      const failed = await fixture.publish(target)
      await kill.done
      await killed.startGateway()
      if (failed.ok || failed.failure.code !== 'target_failed') throw new Error(JSON.stringify(failed))
      expect(failed.failure.reason.code).toMatch(/^bucket_(unreached|cut)$/)
      expect(failed.failure.state).toBe(moment === 'media' ? 'unchanged' : 'mixed')
      const words = []
      for (const at of posts) {
        const { text } = await page(`post-${at}/index.html`)
        const [, word = ''] = new RegExp(`<p>(Old|New) ${at}</p>`).exec(text) ?? []
        words.push(word)
        const [, picture = ''] = /src="\.\.\/(media\/[^"]+)"/.exec(text) ?? []
        expect([text.trimEnd().slice(-7), (await page(picture)).text.slice(0, 5)]).toEqual(['</html>', `${word} ${at}`])
      }
      if (moment === 'media') expect(new Set(words)).toEqual(new Set(['Old']))
      else expect(words).toContain('New')

      const before = new Set(there.filter((path) => path.includes('/media/')))
      there.length = 0
      expect(await fixture.publish(target)).toMatchObject({ ok: true })
      expect(before.size).toBeGreaterThan(0)
      expect(there.filter((path) => before.has(path))).toEqual([])
      for (const at of posts) expect((await page(`post-${at}/index.html`)).text).toContain(`<p>New ${at}</p>`)
    },
  )

  test('a bucket with a used-up quota keeps the old release, and accepts the new one once there is space', async () => {
    const small = await ceph.aBucket('public')
    const fixture = await createPublishingFixture()
    await fixture.save('post-1', '<p>Old text</p>')
    const publicUrl = `${await startIndexPages(ceph.url)}/${small}/www`
    const target = await fixture.addTarget(`s3:${small}/www`, { endpoint: ceph.url, publicUrl, key: key() })
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    const page = async () => (await fetch(`${publicUrl}/post-1/index.html`)).text()
    await fixture.save('post-1', '<p>New text</p>', { 'film.mp4': Buffer.alloc(3 * 1024 ** 2, 'film') })
    await ceph.setQuota(small, 2 * 1024 ** 2)
    expect(await fixture.publish(target)).toMatchObject({
      failure: { code: 'target_failed', reason: { code: 'bucket_full' }, state: 'unchanged' },
    })
    expect(await page()).toContain('Old text')
    await ceph.setQuota(small, null)
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    expect(await page()).toContain('New text')
  })

  test.each(['new', 'longer'] as const)(
    'a bucket whose quota is used up while %s pages are sent shows the old release alone',
    async (kind) => {
      const bucket = await ceph.aBucket('public')
      const fixture = await createPublishingFixture()
      const posts = [0, 1, 2, 3, 4, 5]
      for (const at of posts) await fixture.save(`post-${at}`, `<p>Old ${at}</p>`)
      const publicUrl = `${await startIndexPages(ceph.url)}/${bucket}/www`
      const target = await fixture.addTarget(`s3:${bucket}/www`, { endpoint: ceph.url, publicUrl, key: key() })
      expect(await fixture.publish(target)).toMatchObject({ ok: true })
      const page = async (path: string) => {
        const answer = await fetch(`${publicUrl}/${path}`)
        return { status: answer.status, text: await answer.text() }
      }
      const old = await Promise.all(posts.map((at) => page(`post-${at}/index.html`)))
      const long = `<p>${'New words. '.repeat(40_000)}</p>`
      for (const at of posts)
        await fixture.save(kind === 'new' ? `other-${at}` : `post-${at}`, `<p>New ${at}</p>${long}`)
      // Room for two or three of the six.
      await ceph.setQuota(bucket, 1_300_000)
      expect(await fixture.publish(target)).toMatchObject({
        failure: { code: 'target_failed', reason: { code: 'bucket_full' }, state: 'unchanged' },
      })
      expect(await Promise.all(posts.map((at) => page(`post-${at}/index.html`)))).toEqual(old)
      for (const at of posts) expect((await page(`other-${at}/index.html`)).status).not.toBe(200)
      expect((await ceph.keys(bucket)).filter((each) => /room|other-/.test(each))).toEqual([])
      await ceph.setQuota(bucket, null)
      expect(await fixture.publish(target)).toMatchObject({ ok: true })
      expect((await page(`${kind === 'new' ? 'other' : 'post'}-5/index.html`)).text).toContain('New 5')
    },
  )

  const linked = async (line: Line) => {
    const link = await startLink(ceph.url, line)
    onTestFinished(link.close)
    return link
  }

  test('a slow connection is used to its end, with progress', async () => {
    const fixture = await createPublishingFixture({ stallMs: 2_000 })
    for (let at = 0; at < 12; at += 1)
      await fixture.save(`post-${at}`, `<p>Text</p>`, { 'a.png': Buffer.alloc(500_000, `picture ${at}`) })
    const slow = await linked({ bytesPerSecond: 1024 ** 2 })
    const { target } = await aBucketTarget(fixture, slow.url)
    const startedMs = performance.now()
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    // Longer than a time limit for the whole publication.
    expect(performance.now() - startedMs).toBeGreaterThan(4_000)
    const writing = fixture.progress.filter(({ step }) => step === 'writing')
    expect(writing.length).toBeGreaterThan(12)
    expect(writing.at(-1)?.done).toBe(writing.at(-1)?.total)
    expect(fixture.progress.at(-1)).toMatchObject({ step: 'verifying', done: writing.at(-1)?.total })
  })

  test('a connection that stalls while it sends or reads back is given up with a message', async () => {
    const fixture = await createPublishingFixture({ stallMs: 1_000 })
    // Larger than the buffers of the system, and small enough to be sent in one part.
    await fixture.save('post-1', '<p>Film</p>', { 'film.mp4': Buffer.alloc(10_000_000, 'film') })
    const stalls = { failure: { code: 'target_failed', reason: { code: 'bucket_stalled' }, state: 'unchanged' } }
    const up = await linked({ stallAfter: { sent: 300_000 } })
    expect(await fixture.publish((await aBucketTarget(fixture, up.url)).target)).toMatchObject(stalls)
    // Without a public URL, the file is read back from the bucket.
    const down = await linked({ stallAfter: { received: 1_000_000 } })
    const readBack = await fixture.addTarget(`s3:${open}/read-back`, { endpoint: down.url, key: key() })
    expect(await fixture.publish(readBack)).toMatchObject({ failure: { reason: { code: 'bucket_stalled' } } })
  })

  test('one error in ten requests does not fail a publication', async () => {
    const fixture = await createPublishingFixture()
    for (let at = 0; at < 12; at += 1)
      await fixture.save(`post-${at}`, `<p>Text ${at}</p>`, { 'a.png': `picture ${at}` })
    let requests = 0
    const proxy = await startProxy(ceph.url, () => ((requests += 1) % 10 === 0 ? 503 : null))
    const { target, page } = await aBucketTarget(fixture, proxy)
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    expect((await page('post-11/index.html')).text).toContain('Text 11')
  })

  test('a wrong key, a missing bucket, a read-only bucket and a foreign file are reported', async () => {
    const fixture = await createPublishingFixture()
    await fixture.save('post-1', '<p>Text</p>')
    const endpoint = ceph.url
    const failures = []
    for (const [place, wrong] of [
      [`s3:${open}/x`, `${ceph.owner.id}:wrong`],
      ['s3:nowhere/x', key()],
      [`s3:${await ceph.aBucket('read_only')}/x`, `${ceph.reader.id}:${ceph.reader.secret}`],
    ] as const) {
      const published = await fixture.publish(await fixture.addTarget(place, { endpoint, key: wrong }))
      failures.push(published.ok ? 'published' : published.failure)
    }
    expect(failures).toMatchObject([
      { code: 'target_failed', reason: { code: 'bucket_key_wrong' }, state: 'unchanged' },
      { reason: { code: 'bucket_missing' } },
      { reason: { code: 'bucket_denied' } },
    ])
    expect((await ceph.keys(open)).filter((each) => each.startsWith('x/'))).toEqual([])
    expect(JSON.stringify(failures) + fixture.lines.join()).not.toContain(ceph.owner.secret)
    await ceph.put(`${open}/taken/index.html`, 'mine')
    const taken = await fixture.addTarget(`s3:${open}/taken`, { endpoint, key: key() })
    expect(await fixture.publish(taken)).toMatchObject({
      failure: { reason: { code: 'target_foreign', name: 'index.html' } },
    })
  })

  test('parts of a stopped upload are deleted by the next publication, those of other programs are not', async () => {
    const fixture = await createPublishingFixture()
    await fixture.save('post-1', '<p>Film</p>', { 'film.mp4': Buffer.alloc(12 * 1024 ** 2, 'film') })
    let isDead = false
    // As if the process had been killed after the first part.
    const proxy = await startProxy(ceph.url, (_method, path) => {
      if (path.includes('partNumber=2')) isDead = true
      return isDead ? 403 : null
    })
    const { target, keys } = await aBucketTarget(fixture, proxy)
    expect(await fixture.publish(target)).toMatchObject({ ok: false })
    expect(await ceph.openUploads(open)).toHaveLength(1)
    const prefix = target.place.kind === 's3' ? target.place.prefix : ''
    const other = await ceph.beginUpload(`${open}/${prefix}/media/of-somebody-else.mp4`)
    isDead = false
    const live = await fixture.addTarget(`s3:${open}/${prefix}`, { endpoint: ceph.url, key: key(), name: 'direct' })
    expect(await fixture.publish(live)).toMatchObject({ ok: true })
    expect(await ceph.openUploads(open)).toEqual([other])
    expect((await keys()).filter((each) => each.startsWith('media/'))).toHaveLength(1)
  })

  test('a media file with the right size and other content is sent again, and media are looked up by their hash', async () => {
    // Half of this is waited for a sign of the other computer.
    const fixture = await createPublishingFixture({ stallMs: 8_000 })
    const film = Buffer.alloc(11 * 1024 ** 2, 'film')
    await fixture.save('post-1', '<p>Film</p>', { 'film.mp4': film })
    const { target, page } = await aBucketTarget(fixture)
    const plan = await fixture.publish(target, true)
    if (!plan.ok) throw new Error(JSON.stringify(plan.failure))
    const media = plan.value.changes.find(({ path }) => path.startsWith('media/'))?.path ?? ''
    const prefix = target.place.kind === 's3' ? target.place.prefix : ''
    await ceph.put(`${open}/${prefix}/${media}`, 'x'.repeat(film.length))
    const owner = fixture.galley.index.sites.ownerOf('acme')
    const journal = { format: 'galley-unfinished', owner, paths: [media], computer: 'this', heartbeat: '1' }
    await ceph.put(`${open}/${prefix}/.galley/unfinished.json`, JSON.stringify(journal))
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    expect((await page(media)).text).toBe(film.toString())
  })
})

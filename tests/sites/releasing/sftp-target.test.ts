import { watch } from 'node:fs'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

import { canMount, mountSmallDisk } from '../../library/log/small-disk.ts'
import { hasSshd, startSftp } from '../../support/sftp-server.ts'
import type { Line } from '../../support/slow-link.ts'
import { startLink } from '../../support/slow-link.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { createPublishingFixture, filesIn } from './fixture.ts'

async function aServer(port?: number) {
  const server = await startSftp(await temporaryFolder(), port)
  onTestFinished(server.kill)
  return server
}

async function aLink(port: number, line: Line): Promise<number> {
  const link = await startLink(`sftp://127.0.0.1:${port}`, line)
  onTestFinished(link.close)
  return Number(new URL(link.url).port)
}

const isPage = ([path]: readonly [string, Buffer]): boolean => path.endsWith('.html')
const isStaged = (path: string): boolean => path.startsWith('.galley/staging/')

describe.skipIf(!hasSshd)("a site on OpenSSH's SFTP server", () => {
  test('is published, published again and rolled back, and leaves only a note without IDs', async () => {
    const fixture = await createPublishingFixture()
    const version = await fixture.save('post-1', '<p>Old text</p>', { 'hero.png': 'picture' })
    const server = await aServer()
    const web = join(await temporaryFolder(), 'deep/web')
    const target = await fixture.addTarget(server.place(web), { key: server.key })
    const first = await fixture.publish(target)
    if (!first.ok) throw new Error(JSON.stringify(first.failure))
    const firstFiles = await filesIn(web)
    expect([...firstFiles.values()].join('\n')).not.toContain(version)
    expect([...firstFiles.keys()].filter((path) => path.startsWith('.galley'))).toEqual(['.galley/release.json'])
    expect((await stat(join(web, 'index.html'))).mode & 0o777).toBe(0o644)
    const untouched = (await stat(join(web, 'favicon.svg'))).mtimeMs

    await fixture.save('post-1', '<p>New text</p>')
    expect(await fixture.publish(target)).toMatchObject({ ok: true, value: { counts: { added: 0, removed: 1 } } })
    const now = await filesIn(web)
    expect(now.get('post-1/index.html')?.toString()).toContain('New text')
    expect([...now.keys()].some((path) => path.startsWith('media/'))).toBe(false)
    expect((await stat(join(web, 'favicon.svg'))).mtimeMs).toBe(untouched)
    const firstRelease = first.value.release ?? ''
    const back = await fixture.rollBack(target, firstRelease)
    if (!back.ok) throw new Error(JSON.stringify(back.failure))
    // Byte for byte, but the note names the new release.
    const firstNote = firstFiles.get('.galley/release.json')?.toString() ?? ''
    expect(firstNote).toContain(firstRelease)
    const newNote = Buffer.from(firstNote.replace(firstRelease, back.value.release ?? ''))
    expect(await filesIn(web)).toEqual(new Map(firstFiles).set('.galley/release.json', newNote))
  })

  test('leaves no folder of a nested page that is gone', async () => {
    const fixture = await createPublishingFixture()
    await fixture.save('post-1', '<p>Text</p>')
    await fixture.save('post-2', '<p>Text</p>')
    const site = fixture.galley.index.sites.find('acme')
    const material = fixture.galley.index.materials.find('acme', 'post-1')
    if (site === null || material === null) throw new Error('The test page is missing')
    const { pages } = fixture.galley.index
    expect(pages.move(site.id, material.materialId, 'blog/2026/05/x')).toMatchObject({ ok: true })
    const server = await aServer()
    const web = join(await temporaryFolder(), 'web')
    const target = await fixture.addTarget(server.place(web), { key: server.key })
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    expect(await readdir(join(web, 'blog/2026/05'))).toEqual(['x'])
    await writeFile(join(web, 'blog/notes.txt'), 'not of Galley')
    pages.change(site.id, [material.materialId], { redirectsFrom: ['новости/My page'] })
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    expect(await readdir(join(web, 'новости/My page'))).toEqual(['index.html'])
    pages.change(site.id, [material.materialId], { state: 'draft' })
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    expect(await readdir(web)).not.toContain('новости')
    expect(await readdir(join(web, 'blog'))).toEqual(['notes.txt'])
  })

  test('a changed host key, a refused key, a dead server and a foreign file are reported', async () => {
    const fixture = await createPublishingFixture()
    await fixture.save('post-1', '<p>Text</p>')
    const web = join(await temporaryFolder(), 'web')
    const server = await aServer()
    const target = await fixture.addTarget(server.place(web), { key: server.key })
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    const checks = await fixture.galley.releasing.check(target)
    expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
      ['connect', true],
      ['host_key', true],
      ['write', true],
    ])
    expect(checks[1]?.detail).toMatch(/^SHA256:/)

    await mkdir(join(web, '../other'))
    await writeFile(join(web, '../other/index.html'), 'mine')
    const taken = await fixture.addTarget(server.place(join(web, '../other')), { key: server.key, name: 'taken' })
    expect(await fixture.publish(taken)).toMatchObject({ failure: { reason: { code: 'target_foreign' } } })

    await server.kill()
    expect(await fixture.publish(target)).toMatchObject({
      failure: { reason: { code: 'sftp_unreached' }, state: 'unchanged' },
    })
    const unreached = await fixture.galley.releasing.check(target)
    expect(unreached.map(({ name, ok }) => [name, ok])).toEqual([['connect', false]])
    const other = await aServer(server.port)
    await fixture.addTarget(server.place(web), { key: other.key })
    expect(await fixture.publish(target)).toMatchObject({ failure: { reason: { code: 'sftp_host_key' } } })
    const checked = await fixture.galley.releasing.check(target)
    expect(checked.map(({ name, ok }) => [name, ok])).toEqual([['connect', false]])

    // The key is known for as long as a target is on that server.
    await fixture.galley.releasing.targets.remove(target)
    const stranger = await aServer()
    await fixture.addTarget(other.place(web), { key: stranger.key })
    expect(await fixture.publish(target)).toMatchObject({ failure: { reason: { code: 'sftp_host_key' } } })
    for (const each of [target, taken]) await fixture.galley.releasing.targets.remove(each)
    await fixture.addTarget(other.place(web), { key: stranger.key })
    const before = await filesIn(web)
    expect(await fixture.publish(target)).toMatchObject({
      failure: { reason: { code: 'sftp_login' }, state: 'unchanged' },
    })
    expect(await filesIn(web)).toEqual(before)
  })

  test.each(['media', 'pages'] as const)(
    'a server that is killed while %s are written: readers see whole pages, and the next publication goes on',
    async (moment) => {
      const fixture = await createPublishingFixture()
      const posts = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
      const saveAll = async (word: string): Promise<void> => {
        for (const at of posts)
          await fixture.save(`post-${at}`, `<p>${word} ${at}</p>`, { 'a.png': Buffer.alloc(400_000, `${word} ${at}`) })
      }
      await saveAll('Old')
      const server = await aServer()
      const web = join(await temporaryFolder(), 'web')
      // The server answers with a delay, so that the kill happens during the upload.
      const port = await aLink(server.port, { latencyMs: 10 })
      const target = await fixture.addTarget(server.place(web, port), { key: server.key })
      expect(await fixture.publish(target)).toMatchObject({ ok: true })
      await saveAll('New')
      const old = new Set((await filesIn(web)).keys())
      const trigger = moment === 'media' ? /^media\/[0-9a-f]{32}/ : /^post-\d\/index\.html$/
      const killed: Promise<void>[] = []
      const watcher = watch(web, { recursive: true }, (_, path) => {
        if (path !== null && trigger.test(path) && killed.length === 0) killed.push(server.kill())
      })
      const failed = await fixture.publish(target)
      watcher.close()
      await Promise.all(killed)
      expect(failed).toMatchObject({
        ok: false,
        failure: {
          code: 'target_failed',
          reason: { code: 'sftp_cut' },
          state: moment === 'media' ? 'unchanged' : 'mixed',
        },
      })
      const files = await filesIn(web)
      const words = posts.map((at) => {
        const text = files.get(`post-${at}/index.html`)?.toString() ?? ''
        const [, word = ''] = new RegExp(`<p>(Old|New) ${at}</p>`).exec(text) ?? []
        const [, picture = ''] = /src="\.\.\/(media\/[^"]+)"/.exec(text) ?? []
        expect([text.trimEnd().slice(-7), files.get(picture)?.toString('utf8', 0, 5)]).toEqual([
          '</html>',
          `${word} ${at}`,
        ])
        return word
      })
      if (moment === 'media') expect(new Set(words)).toEqual(new Set(['Old']))
      else expect(words).toContain('New')

      await server.startAgain()
      const there = [...files.keys()].filter((path) => path.startsWith('media/') && !old.has(path))
      expect(there.length).toBeGreaterThan(0)
      const second = await fixture.publish(target)
      if (!second.ok) throw new Error(JSON.stringify(second.failure))
      const sent = new Set(second.value.changes.filter(({ change }) => change !== 'removed').map(({ path }) => path))
      expect(there.filter((path) => sent.has(path))).toEqual([])
      const after = await filesIn(web)
      for (const at of posts) expect(after.get(`post-${at}/index.html`)?.toString()).toContain(`<p>New ${at}</p>`)
      expect([...after.keys()].filter(isStaged)).toEqual([])
    },
  )

  test.skipIf(!canMount())('a full disk keeps the old release and nothing half, until there is room', async () => {
    const disk = mountSmallDisk(8)
    if (disk === null) throw new Error('No small disk')
    onTestFinished(disk.unmount)
    const fixture = await createPublishingFixture()
    await fixture.save('post-1', '<p>Old text</p>')
    const server = await aServer()
    const web = join(disk.folder, 'web')
    const target = await fixture.addTarget(server.place(web), { key: server.key })
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    const pages = [...(await filesIn(web))].filter(isPage)
    disk.fill(1_000_000)
    await fixture.save('post-1', '<p>New text</p>', { 'film.mp4': Buffer.alloc(2_000_000, 'film') })
    const full = { failure: { code: 'target_failed', reason: { code: 'sftp_failed' }, state: 'unchanged' } }
    expect(await fixture.publish(target)).toMatchObject(full)
    const left = await filesIn(web)
    expect([...left].filter(isPage)).toEqual(pages)
    // The incomplete film is deleted: otherwise the disk would stay full.
    expect([...left.keys()].filter(isStaged)).toEqual([])
    await rm(join(disk.folder, 'ballast'))
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    expect((await filesIn(web)).get('post-1/index.html')?.toString()).toContain('New text')
  })

  test('a slow connection is used to its end; a stalled one is given up with a message', async () => {
    const fixture = await createPublishingFixture({ stallMs: 2_000 })
    const server = await aServer()
    const publishedOver = async (line: Line) => {
      const place = server.place(join(await temporaryFolder(), 'web'), await aLink(server.port, line))
      return fixture.publish(await fixture.addTarget(place, { key: server.key }))
    }
    for (let at = 0; at < 8; at += 1)
      await fixture.save(`post-${at}`, '<p>Text</p>', { 'a.png': Buffer.alloc(500_000, `picture ${at}`) })
    const startedMs = performance.now()
    expect(await publishedOver({ bytesPerSecond: 1_000_000 })).toMatchObject({ ok: true })
    expect(performance.now() - startedMs).toBeGreaterThan(3_000)
    const stalled = { code: 'target_failed', reason: { code: 'sftp_stalled' } }
    expect(await publishedOver({ stallAfter: { sent: 1_000_000 } })).toMatchObject({
      failure: { ...stalled, state: 'unchanged' },
    })
    expect(await publishedOver({ stallAfter: { received: 1_000_000 } })).toMatchObject({
      failure: { ...stalled, state: 'mixed' },
    })
  })
})

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { startS3Server } from '../../support/s3-server.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import type { PublishingFixture } from './fixture.ts'
import { createPublishingFixture, filesIn } from './fixture.ts'

/** Serves a folder as hosts do: a path is decoded, and a folder is its `index.html`. Only ASCII comes in a request. */
async function startHost(folder: string): Promise<string> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://host').pathname)
    readFile(join(folder, path.endsWith('/') ? `${path}index.html` : path)).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    )
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Opens every page that links lead to, from the home page on. Returns the decoded paths, and the links that lead nowhere. */
async function walk(home: string) {
  const [open, seen, broken] = [[home], new Set([home]), new Set<string>()]
  for (const url of open) {
    const answer = await fetch(url)
    if (answer.status !== 200) broken.add(url)
    const html = answer.headers.get('content-type')?.includes('image') ? '' : await answer.text()
    for (const [, href = ''] of html.matchAll(/<a\b[^>]*\bhref="([^"]*)"/g)) {
      const next = new URL(href, url)
      next.hash = ''
      if (!next.href.startsWith(home) || seen.size === seen.add(next.href).size) continue
      open.push(next.href)
    }
  }
  return { paths: [...seen].map((url) => decodeURIComponent(url.slice(home.length))), broken: [...broken] }
}

/** Pages and tags of four scripts; one page has moved from its first address, and each links to another. */
async function publishedBefore(fixture: PublishingFixture): Promise<void> {
  const { index } = fixture.galley
  await fixture.save('ar', '<h1>مرحبا بالعالم</h1><p><a href="galley:material/ja">日本</a></p>')
  await fixture.save('ja', '<h1>ガイド：東京</h1><p><a href="/שלום/">שלום</a></p>')
  await fixture.save('he', '<h1>שלום</h1><p><a href="galley:material/th">ไทย</a></p>')
  await fixture.save('th', '<h1>น้ำท่วม</h1><p>ไทย</p>')
  const tags = { ar: ['البحر'], ja: ['新闻', 'データ'], he: ['ים'], th: ['ข่าว'] }
  for (const [materialId, names] of Object.entries(tags)) index.pages.change('acme', [materialId], { tags: names })
  index.publishing.change('acme', {
    menu: [
      { label: 'ガイド', target: { url: '/ガイド-東京/' } },
      { label: 'He', target: { url: `/${encodeURIComponent('שלום')}` } },
    ],
  })
}

const paths = ['مرحبا-بالعالم/index.html', 'ガイド-東京/index.html', 'שלום/index.html', 'น้ำท่วม/index.html']

test('a folder, its feeds and its redirects have the addresses as a web server gets them', async () => {
  const fixture = await createPublishingFixture()
  await publishedBefore(fixture)
  const web = join(await temporaryFolder(), 'web')
  const publicUrl = await startHost(web)
  const target = await fixture.addTarget(`folder:${web}`, { publicUrl })
  expect(await fixture.publish(target)).toMatchObject({ ok: true, value: { links: { broken: [] } } })
  const { index } = fixture.galley
  // Its title changes and its address stays; a person moves another one.
  await fixture.save('ar', '<h1>عنوان جديد</h1>')
  await index.commit.write(() => index.pages.move('acme', 'th', 'ภาษาไทย/น้ำ'))
  expect(await fixture.publish(target)).toMatchObject({
    ok: true,
    value: { links: { broken: [] }, verified: { via: 'public_url' } },
  })
  const files = await filesIn(web)
  const moved = 'ภาษาไทย/น้ำ/index.html'
  const tags = ['البحر', '新闻', 'データ', 'ים', 'ข่าว'].map((tag) => `tags/${tag}/index.html`)
  expect([...files.keys()]).toEqual(expect.arrayContaining([...paths, moved, ...tags]))
  const walked = await walk(`${publicUrl}/`)
  expect(walked.broken).toEqual([])
  const shown = [...paths.slice(0, 3), moved, ...tags].map((path) => path.replace(/index\.html$/, ''))
  expect(walked.paths).toEqual(expect.arrayContaining(shown))

  const text = (path: string): string => files.get(path)?.toString('utf8') ?? ''
  const encoded = (path: string): string => `${publicUrl}/${encodeURI(path.replace(/index\.html$/, ''))}`
  for (const path of ['sitemap.xml', 'feed.xml', 'feed.json']) {
    const urls = text(path).match(/https?:[^<"\s]+/g) ?? []
    expect(urls.filter((url) => /[^!-~]/.test(url))).toEqual([])
    expect(urls).toContain(encoded(moved))
  }
  expect(text(moved)).toContain(`<link rel="canonical" href="${encoded(moved)}">`)
  expect(text('_redirects')).toBe(`/${encodeURI('น้ำท่วม/')} /${encodeURI('ภาษาไทย/น้ำ/')} 301\n`)
  const redirected = await (await fetch(`${publicUrl}/${encodeURI('น้ำท่วม/')}`)).text()
  const [, to = ''] = /content="0; url=([^"]+)"/.exec(redirected) ?? []
  expect(new URL(to, encoded('น้ำท่วม/')).href).toBe(encoded(moved))
})

test('the preview serves them, with a slash and without', async () => {
  const fixture = await createPublishingFixture()
  await publishedBefore(fixture)
  const site = fixture.galley.index.sites.find('acme')
  if (site === null) throw new Error('The test site is missing')
  const started = await fixture.galley.previews.start({ site, themesOf: () => fixture.themes })
  if (!started.ok) throw new Error(started.failure.code)
  const { url } = started.value
  const answer = await fetch(`${url}ガイド-東京`, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, `/${encodeURI('ガイド-東京/')}`])
  const walked = await walk(`${url}index.html`.replace('index.html', ''))
  expect(walked.broken).toEqual([])
  expect(walked.paths).toEqual(expect.arrayContaining(['ガイド-東京/index.html', 'tags/新闻/index.html']))
})

test('a bucket has them as its keys', async () => {
  const storage = await startS3Server()
  onTestFinished(storage.close)
  const fixture = await createPublishingFixture()
  await publishedBefore(fixture)
  const target = await fixture.addTarget('s3:team/www', { endpoint: storage.url, key: 'id:secret' })
  expect(await fixture.publish(target)).toMatchObject({ ok: true })
  const keys = [...storage.objects.keys()]
  expect(keys).toEqual(expect.arrayContaining([...paths, 'tags/新闻/index.html'].map((path) => `www/${path}`)))
  expect(keys.filter((key) => key !== key.normalize('NFC'))).toEqual([])
  expect(await fixture.publish(target)).toMatchObject({ ok: true, value: { changes: [] } })
})

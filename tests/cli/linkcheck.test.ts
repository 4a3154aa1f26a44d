import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { aLibrary, aNewsroom, aPage } from './support/library.ts'

interface Report {
  readonly pages: number
  readonly checked: number
  readonly broken: readonly {
    readonly page: string
    readonly ref: string
    readonly code: string
    readonly place: string
  }[]
  readonly skipped?: readonly string[]
}

async function aSiteOfFiles(files: Readonly<Record<string, string>>) {
  const place = await aLibrary()
  const folder = join(place.folder, 'site')
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return { ...place, folder }
}

const found = ({ broken }: Report) => broken.map(({ page, ref, code, place }) => [page, ref, code, place])

/** A web server that answers by path, and records requests as `METHOD /path`. */
async function anOutsideSite() {
  const asked: string[] = []
  const open = new Set<IncomingMessage>()
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`)
    open.add(request)
    const path = request.url ?? ''
    const status = Number(/^\/(\d{3})/.exec(path)?.[1] ?? 200)
    if (path === '/silent') return
    if (path === '/loop') return void response.writeHead(302, { location: '/loop' }).end()
    if (path === '/moved') return void response.writeHead(301, { location: '/404' }).end()
    if (path === '/get-only' && request.method === 'HEAD') return void response.writeHead(404).end()
    response.writeHead(status).end('x'.repeat(100))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

test('any folder of HTML files is checked, without its links, hidden folders and huge files', async () => {
  const { folder, run } = await aSiteOfFiles({
    'index.html': '<a href="/about/">x</a><a href="docs/one.html#gone">x</a><img src="a%20b.png"><a href="out.html">',
    'about/index.html': '<p>\n<a href="../docs/one.html#there"></a>\n  <img src="missing.png"><a href="/gone">',
    'docs/one.html': '<h1 id="there">x</h1><link rel="stylesheet" href="style.css"><a href="../index.html">',
    'docs/style.css': 'p{}\np{background:url(no.png)}',
    'docs/old.html': '<meta charset="windows-1251"><a href="#\xff">',
    'a b.png': '',
    'huge.html': `<a href="no">${' '.repeat(16 * 1024 ** 2)}`,
    '.git/x.html': '<a href="no">',
  })
  await writeFile(join(folder, '..', 'elsewhere.html'), '<a href="no">')
  await symlink(join(folder, '..', 'elsewhere.html'), join(folder, 'out.html'))
  await symlink(folder, join(folder, 'docs', 'loop'))
  const ran = await run('linkcheck', folder)
  expect(ran.code, ran.stderr).toBe(1)
  const report = ran.json() as Report
  expect(report).toMatchObject({ pages: 4, skipped: ['huge.html'] })
  expect(found(report)).toEqual([
    ['about/index.html', 'missing.png', 'no_file', '3:8 img[src]'],
    ['about/index.html', '/gone', 'root_relative', '3:29 a[href]'],
    ['docs/old.html', expect.any(String), 'no_anchor', '1:33 a[href]'],
    ['docs/style.css', 'no.png', 'no_file', '2:18'],
    ['index.html', 'out.html', 'no_file', '1:82 a[href]'],
    ['index.html', 'docs/one.html#gone', 'no_anchor', '1:27 a[href]'],
  ])
})

test('a folder without broken links exits with 0, and a path that is no folder with 2', async () => {
  const { folder, run } = await aSiteOfFiles({ 'index.html': '<a href="https://example.org/x">' })
  const ran = await run('linkcheck', folder)
  expect([ran.code, ran.json()]).toEqual([0, { pages: 1, checked: 0, broken: [] }])
  expect((await run('linkcheck', join(folder, 'no'))).code).toBe(2)
  expect((await run('linkcheck', folder, '--base-url', 'ftp://x')).code).toBe(2)
  expect((await run('linkcheck', 'nosuchsite')).failure().code).toBe('unknown_site')
})

test('other sites are asked with --outside alone, and never at private addresses from a public site', async () => {
  const outside = await anOutsideSite()
  const links = ['/200', '/404', '/404#again', '/500', '/403', '/loop', '/moved', '/get-only']
  const { folder, run } = await aSiteOfFiles({
    'index.html': links.map((path) => `<a href="${outside.url}${path}">x</a>\n`).join(''),
  })
  const local = ['--base-url', 'http://127.0.0.1:1/']
  expect((await run('linkcheck', folder, ...local)).code).toBe(0)
  expect(outside.asked).toEqual([])
  const ran = await run('linkcheck', folder, ...local, '--outside')
  const report = ran.json() as Report
  expect(found(report).map(([, ref, code, place]) => [String(ref).slice(outside.url.length), code, place])).toEqual([
    ['/404', 'outside_404', '2:4 a[href]'],
    ['/404#again', 'outside_404', '3:4 a[href]'],
    ['/500', 'outside_500', '4:4 a[href]'],
    ['/loop', 'outside_redirects', '6:4 a[href]'],
    ['/moved', 'outside_404', '7:4 a[href]'],
  ])
  expect([ran.code, report.checked]).toEqual([1, links.length])
  expect(outside.asked.filter((each) => each === 'HEAD /404')).toHaveLength(2)
  const before = outside.asked.length
  const open = (await run('linkcheck', folder, '--outside')).json() as Report
  expect(new Set(open.broken.map(({ code }) => code))).toEqual(new Set(['private_address']))
  expect(outside.asked).toHaveLength(before)
})

test('a site is checked as it would be exported, with links by material', async () => {
  const { run, save } = await aNewsroom()
  const open = async (id: string) =>
    ((await run('open', 'acme', id, '--slug', `page-${id}`)).json() as { fingerprint: string }).fingerprint
  const [one, two] = [await open('one'), await open('two'), await open('never-saved')]
  const links =
    '<a id="x" href="galley:material/two#y">x</a><a href="/page-two">x</a><a href="/archive/">x</a><a href="https://site.example/page-two/#no">x</a>'
  await save(one, {
    ...aPage('One'),
    html: `${links}<a href="galley:material/never-saved"><a href="galley:material/9">`,
  })
  await save(two, { ...aPage('Two'), html: '<h1 id="y">x</h1><a href="galley:material/one#x">x</a>' })
  const ran = await run('linkcheck', 'acme', '--base-url', 'https://site.example/')
  const report = ran.json() as Report
  expect(ran.code).toBe(1)
  // Those of the theme count as well.
  expect(report.pages).toBeGreaterThanOrEqual(3)
  expect(report.broken.map(({ page, ref, code }) => [page, ref, code])).toEqual([
    ['page-one/index.html', 'galley:material/never-saved', 'not_published'],
    ['page-one/index.html', 'galley:material/9', 'unknown_material'],
    ['page-one/index.html', '../page-two/#no', 'no_anchor'],
  ])
})

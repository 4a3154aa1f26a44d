import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'

import { httpClient } from '../../../packages/platform/network/http-client.ts'
import { createBucket } from '../../../packages/platform/s3/bucket.ts'
import { createSemaphore } from '../../../packages/platform/timing/concurrency.ts'
import { sha256Of } from '../../support/saves.ts'
import { aFontsSave, aSave, createTestGalley, temporaryFolder } from '../../support/test-galley.ts'

const keys = { accessKeyId: 'bucket-key', secretAccessKey: 'bucket-secret' }

/**
 * A bucket that anyone may read, and that verifies every other request by the published rules of Signature Version 4,
 * implemented here independently. `answer`: the status of the nth upload.
 */
async function startBucket(answer: (nth: number) => number = () => 200) {
  const objects = new Map<string, { bytes: Buffer; type: string | undefined }>()
  const refused: string[] = []
  /** The object that says whose files these are. */
  const holder = { text: '', url: '' }
  const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')
  let puts = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const { method } = request
      // A key contains slashes, however they are encoded in the URL.
      const url = (request.url ?? '').replaceAll('%2F', '/')
      if (url.endsWith('/galley-library.json') && isRightlySigned(request, bytes)) {
        if (method === 'PUT') {
          Object.assign(holder, { text: bytes.toString(), url })
          return response.end()
        }
        return response.writeHead(holder.text === '' ? 404 : 200).end(holder.text)
      }
      const found = objects.get(url)
      if (method === 'GET') return response.writeHead(found ? 200 : 404).end(found?.bytes)
      if (!isRightlySigned(request, bytes)) {
        refused.push(url)
        return response.writeHead(403).end()
      }
      if (method === 'HEAD') {
        const facts = found && { 'content-length': found.bytes.length, etag: `"${md5(found.bytes)}"` }
        return response.writeHead(found ? 200 : 404, facts).end()
      }
      if (method === 'DELETE') return response.writeHead(objects.delete(url) ? 204 : 404).end()
      puts += 1
      const status = answer(puts)
      if (status === 200) objects.set(url, { bytes, type: request.headers['content-type'] })
      return response.writeHead(status).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, objects, holder, refused, puts: () => puts }
}

function isRightlySigned({ method, url = '', headers }: IncomingMessage, bytes: Buffer): boolean {
  const [, date = '', region = '', signedHeaders = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=bucket-key\/(\d{8})\/([a-z0-9-]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  const hash = createHash('sha256').update(bytes).digest('hex')
  if (headers['x-amz-content-sha256'] !== hash) return false
  const named = signedHeaders.split(';').map((name) => `${name}:${String(headers[name])}\n`)
  const canonical = [method, url, '', named.join(''), signedHeaders, hash].join('\n')
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const scope = `${date}/${region}/s3/aws4_request`
  const text = [
    'AWS4-HMAC-SHA256',
    String(headers['x-amz-date']),
    scope,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n')
  const key = [region, 's3', 'aws4_request'].reduce(
    (secret, part) => hmac(secret, part),
    hmac(`AWS4${keys.secretAccessKey}`, date),
  )
  return hmac(key, text).toString('hex') === signature
}

const siteIn = (url: string) => ({ publish: 's3:pages/web', publicUrl: `${url}/pages/web` })
const edgesFor = (url: string) => ({
  environment: {
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
    AWS_ENDPOINT_URL: url,
  },
})

test('media and fonts are uploaded to the path of their public URL, with a valid signature', async () => {
  const bucket = await startBucket()
  const fixture = await createTestGalley({ site: siteIn(bucket.url), edges: edgesFor(bucket.url) })
  await fixture.know('post-1')
  const save = aSave(fixture.service, {
    files: { 'a b/имя (1).png': 'small', 'large.bin': Buffer.alloc(200_000, 'x') },
  })
  const answer = await fixture.post(save.body, save.headers)
  expect(answer.json.rc, answer.text).toBe(1)
  const fonts = aFontsSave(fixture.service, 's1', {
    'vms_fonts/a.woff2': 'font',
    'vms_fonts.css': 'a{}',
    'vms_fonts.json': '{}',
  })
  expect((await fixture.post(fonts.body, fonts.headers)).json.rc).toBe(1)

  const [version] = fixture.galley.index.versions.list('acme', 'post-1')
  const url = version?.publicUrls['a b/имя (1).png'] ?? ''
  expect(url).toMatch(/\/pages\/web\/media\//)
  const path = new URL(url).pathname.replace('%2F', '/')
  expect(bucket.objects.get(path)).toEqual({ bytes: Buffer.from('small'), type: 'image/png' })
  expect(bucket.objects.get('/pages/web/fonts/acme/s1/a.woff2')?.bytes.toString()).toBe('font')
  expect(bucket.objects.get('/pages/web/fonts/acme/current.css')?.type).toContain('text/css')
  expect(bucket.refused).toEqual([])
})

test('the name of a snapshot cannot leave the prefix', async () => {
  const bucket = await startBucket()
  const { galley, service, post } = await createTestGalley({ site: siteIn(bucket.url), edges: edgesFor(bucket.url) })
  const fonts = aFontsSave(service, '..%2F..%2F..%2Fescaped', {
    'vms_fonts/a.woff2': 'font',
    'vms_fonts.css': 'a{}',
    'vms_fonts.json': '{}',
  })
  expect((await post(fonts.body, fonts.headers)).json).toMatchObject({ rc: 0, code: 'storage_failed' })
  expect([bucket.puts(), bucket.refused]).toEqual([0, []])
  expect(galley.index.snapshots.list('acme')).toEqual([])
})

test('a bucket that fails briefly is tried again; one that refuses fails the save', async () => {
  const flaky = await startBucket((nth) => (nth === 1 ? 503 : 200))
  const fixture = await createTestGalley({ site: siteIn(flaky.url), edges: edgesFor(flaky.url) })
  await fixture.know('post-1')
  const save = aSave(fixture.service)
  expect((await fixture.post(save.body, save.headers)).json.rc).toBe(1)

  for (const edges of [edgesFor((await startBucket(() => 403)).url), { environment: {} }]) {
    const other = await createTestGalley({ site: siteIn('http://127.0.0.1:1'), edges })
    await other.know('post-1')
    const refused = aSave(other.service)
    const answer = await other.post(refused.body, refused.headers)
    expect([answer.status, answer.json.code]).toEqual([500, 'storage_failed'])
    expect(answer.text).not.toContain('bucket-secret')
    expect(await other.filesOf()).toEqual([])
    expect(other.galley.index.versions.list('acme', 'post-1')).toEqual([])
  }
})

test('objects of an earlier Galley, without the hash as metadata, are not uploaded again', async () => {
  const bucket = await startBucket()
  const fixture = await createTestGalley({ site: siteIn(bucket.url), edges: edgesFor(bucket.url) })
  await fixture.know('post-1')
  const files = { 'a.png': 'one', 'b.png': 'two' }
  for (const puts of [2, 2]) {
    const save = aSave(fixture.service, { files })
    expect((await fixture.post(save.body, save.headers)).json.rc).toBe(1)
    expect(bucket.puts()).toBe(puts)
  }
  // Other content of the same size under this name: its ETag differs.
  for (const object of bucket.objects.values()) object.bytes = Buffer.from('xyz')
  const again = aSave(fixture.service, { files })
  expect((await fixture.post(again.body, again.headers)).json.rc).toBe(1)
  expect(bucket.puts()).toBe(4)
})

test('a public URL that returns a web page, redirects, or is private fails the save, unless the check is off', async () => {
  const bucket = await startBucket()
  const answers: Record<string, (response: ServerResponse) => void> = {
    page: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Shop</h1>'),
    elsewhere: (response) => void response.writeHead(302, { location: '/' }).end(),
    broken: (response) => void response.writeHead(503).end(),
    json: (response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"error":"no access"}'),
  }
  const server = createServer((request, response) => answers[(request.url ?? '').split('/')[1] ?? '']?.(response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const [publicUrl, words] of [
    [`${url}/page`, 'the public URL returns a web page instead'],
    [`${url}/json`, 'the public URL returns something else'],
    [`${url}/elsewhere`, 'the public URL redirects to another URL (status 302)'],
    [`${url}/broken`, 'the server at the public URL is failing (status 503)'],
    // Every system resolves this name to its loopback address, although the name does not show it.
    ['http://localhost.localdomain:1', 'the public URL'],
  ] as const) {
    const fixture = await createTestGalley({ site: { ...siteIn(bucket.url), publicUrl }, edges: edgesFor(bucket.url) })
    await fixture.know('post-1')
    const save = aSave(fixture.service)
    const answer = await fixture.post(save.body, save.headers)
    expect([answer.status, answer.json.code], answer.text).toEqual([500, 'storage_failed'])
    expect(answer.text).toContain(words)
    expect(bucket.objects.size).toBe(0)
    fixture.changeSite({ publish: { kind: 's3', bucket: 'pages', prefix: 'web', publicCheck: 'off' } })
    expect((await fixture.post(save.body, save.headers)).json.rc).toBe(1)
    bucket.objects.clear()
    bucket.holder.text = ''
  }
})

test.each([
  ['a.css', 'application/json', '{"error":"no access"}'],
  ['a.txt', 'text/plain', 'Forbidden'],
  ['a.vtt', 'text/plain; charset=utf-8', 'Forbidden'],
  ['a.json', 'application/json', '{"error":"no access"}'],
  ['a.pdf', 'application/octet-stream', 'no'],
])('an answer with other bytes is not the file %s, even as %s', async (name, type, body) => {
  const bucket = await startBucket()
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': type }).end(body))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const fixture = await createTestGalley({ site: { ...siteIn(bucket.url), publicUrl }, edges: edgesFor(bucket.url) })
  await fixture.know('post-1')
  const save = aSave(fixture.service, { html: `<a href="dummy-${name}">file</a>`, files: { [name]: 'stored' } })
  const answer = await fixture.post(save.body, save.headers)
  expect([answer.status, answer.json.code], answer.text).toEqual([500, 'storage_failed'])
  expect(answer.text).toContain('the public URL returns something else')
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('a file is public that a server compresses with %s, and another one is not', async (encoding, compress) => {
  const bucket = await startBucket()
  const stored = 'a { color: red } '.repeat(900)
  let served = stored
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': encoding }).end(compress(served)),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const fixture = await createTestGalley({ site: { ...siteIn(bucket.url), publicUrl }, edges: edgesFor(bucket.url) })
  await fixture.know('post-1')
  const save = aSave(fixture.service, { html: '<p>', files: { 'a.txt': stored } })
  served = '{"error":"no access"}'
  expect((await fixture.post(save.body, save.headers)).json.code).toBe('storage_failed')
  served = stored
  expect((await fixture.post(save.body, save.headers)).json.rc).toBe(1)
})

test.each([
  ['a.png', 'image/webp'],
  ['a.css', 'text/css; charset=utf-8'],
])('a file %s that a CDN converts is public', async (name, type) => {
  const bucket = await startBucket()
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': type }).end('smaller'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const fixture = await createTestGalley({ site: { ...siteIn(bucket.url), publicUrl }, edges: edgesFor(bucket.url) })
  await fixture.know('post-1')
  const save = aSave(fixture.service, { html: '<p>', files: { [name]: 'stored' } })
  expect((await fixture.post(save.body, save.headers)).json.rc).toBe(1)
})

test('a file is public whose server shows a page in its place for a moment; caches are passed', async () => {
  const bucket = await startBucket()
  const asked: unknown[] = []
  const server = createServer(({ headers }, response) => {
    asked.push(headers['cache-control'])
    const isThere = asked.length > 1
    response.writeHead(200, { 'content-type': isThere ? 'text/plain' : 'text/html' }).end(isThere ? 'stored' : '<p>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const fixture = await createTestGalley({ site: { ...siteIn(bucket.url), publicUrl }, edges: edgesFor(bucket.url) })
  await fixture.know('post-1')
  const save = aSave(fixture.service, { html: '<p>', files: { 'a.txt': 'stored' } })
  expect((await fixture.post(save.body, save.headers)).json.rc).toBe(1)
  expect(asked).toEqual(['no-cache', 'no-cache'])
})

test('a request is aborted if the bucket stops reading its body, and tried again', async () => {
  let hangs = 1
  const server = createServer((request, response) => {
    // The server does not read this body, so the sender cannot continue.
    if (request.method === 'PUT' && hangs-- > 0) return
    request.resume().on('end', () => response.writeHead(200).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const folder = await temporaryFolder()
  const file = join(folder, 'large')
  const bytes = Buffer.alloc(9_000_000)
  await writeFile(file, bytes)
  const { Agent } = await httpClient()
  const agent = new Agent()
  onTestFinished(() => agent.destroy())
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pages`
  const place = {
    name: 'pages',
    root,
    region: 'us-east-1',
    keys: { id: 'a', secret: 'b' },
    agent,
    semaphore: createSemaphore(2),
  }
  const payload = {
    sha256: createHash('sha256').update(bytes).digest('hex'),
    sizeBytes: bytes.length,
    read: () => createReadStream(file),
  }
  const put = { method: 'PUT', key: 'large', payload } as const
  const bucket = createBucket(place, [0], 300)
  const hung = await bucket.attempt(put, new AbortController().signal)
  expect(hung).toMatchObject({ reason: { code: 'bucket_stalled' } })
  expect(await bucket.ask(put, new AbortController().signal)).toMatchObject({ status: 200 })
})

test('the page of a portal is no stored object', async () => {
  let isPortal = true
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end(isPortal ? '<h1>Sign in</h1>' : ''))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { Agent } = await httpClient()
  const agent = new Agent()
  onTestFinished(() => agent.destroy())
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pages`
  const place = {
    name: 'pages',
    root,
    region: 'us-east-1',
    keys: { id: 'a', secret: 'b' },
    agent,
    semaphore: createSemaphore(2),
  }
  const payload = { sha256: sha256Of('x'), sizeBytes: 1, read: () => Readable.from([Buffer.from('x')]) }
  const bucket = createBucket(place, [0])
  const put = () => bucket.ask({ method: 'PUT', key: 'page', payload }, new AbortController().signal)
  await expect(put()).rejects.toMatchObject({ reason: { code: 'bucket_not_s3' } })
  isPortal = false
  expect(await put()).toMatchObject({ status: 200 })
})

test('a failed save deletes nothing where another library publishes too', async () => {
  let accepted = 100
  const bucket = await startBucket(() => ((accepted -= 1) < 0 ? 403 : 200))
  const [one, other] = await Promise.all(
    ['one', 'other'].map(() => createTestGalley({ site: siteIn(bucket.url), edges: edgesFor(bucket.url) })),
  )
  if (!one || !other) throw new Error('There are two')
  for (const fixture of [one, other]) await fixture.know('post-1')
  const deliver = ({ service, post }: typeof one, files: Readonly<Record<string, string>>) => {
    const { body, headers } = aSave(service, { html: '<p>', files })
    return post(body, headers)
  }
  expect((await deliver(one, { 'a.txt': 'first' })).json.rc).toBe(1)
  expect(bucket.holder.text).toContain(one.galley.index.library())
  // Alone, it takes back what it has uploaded.
  const unused = { 'b.txt': 'second', 'c.txt': 'another' }
  accepted = 1
  expect((await deliver(one, unused)).json.code).toBe('storage_failed')
  expect(bucket.objects.size).toBe(1)
  expect((await deliver(other, { 'a.txt': 'first' })).json.rc).toBe(1)
  expect(bucket.holder).toEqual({ text: '{"library":"several"}\n', url: '/pages/web/galley-library.json' })
  accepted = 1
  expect((await deliver(one, unused)).json.code).toBe('storage_failed')
  expect(bucket.objects.size).toBe(2)
})

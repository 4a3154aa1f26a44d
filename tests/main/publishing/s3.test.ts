import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'

import { aFontsSave, aSave, createTestGalley } from '../../support/test-galley.ts'

const keys = { accessKeyId: 'bucket-key', secretAccessKey: 'bucket-secret' }

/** A bucket that checks each request by the published rules of Signature Version 4, written here from those. */
async function startBucket(answer: (nth: number) => number = () => 200) {
  const objects = new Map<string, { bytes: Buffer; type: string | undefined }>()
  const refused: string[] = []
  let puts = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      puts += 1
      const bytes = Buffer.concat(chunks)
      const status = isRightlySigned(request, bytes) ? answer(puts) : 403
      if (status === 200) objects.set(request.url ?? '', { bytes, type: request.headers['content-type'] })
      else refused.push(request.url ?? '')
      response.writeHead(status).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, objects, refused }
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

const siteInBucket = { publish: 's3:pages/web', publicUrl: 'https://cdn.example.test' }
const edgesFor = (url: string) => ({
  environment: {
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
    AWS_ENDPOINT_URL: url,
  },
})

test('media and fonts are put under the path of their public URL, rightly signed', async () => {
  const bucket = await startBucket()
  const house = await createTestGalley({ site: siteInBucket, edges: edgesFor(bucket.url) })
  await house.know('post-1')
  const save = aSave(house.service, { files: { 'a b/имя (1).png': 'small', 'large.bin': Buffer.alloc(200_000, 'x') } })
  const answer = await house.post(save.body, save.headers)
  expect(answer.json.rc, answer.text).toBe(1)
  const fonts = aFontsSave(house.service, 's1', {
    'vms_fonts/a.woff2': 'font',
    'vms_fonts.css': 'a{}',
    'vms_fonts.json': '{}',
  })
  expect((await house.post(fonts.body, fonts.headers)).json.rc).toBe(1)

  const [version] = house.galley.index.versions.list('acme', 'post-1')
  const url = version?.publicUrls['a b/имя (1).png'] ?? ''
  expect(url).toMatch(/^https:\/\/cdn\.example\.test\/media\//)
  const path = new URL(url).pathname.replace('%2F', '/')
  expect(bucket.objects.get(`/pages/web${path}`)).toEqual({ bytes: Buffer.from('small'), type: 'image/png' })
  expect(bucket.objects.get('/pages/web/fonts/acme/s1/a.woff2')?.bytes.toString()).toBe('font')
  expect(bucket.objects.get('/pages/web/fonts/acme/current.css')?.type).toContain('text/css')
  expect(bucket.refused).toEqual([])
})

test('a bucket that fails for a moment is tried again; one that refuses keeps the save out', async () => {
  const flaky = await startBucket((nth) => (nth === 1 ? 503 : 200))
  const house = await createTestGalley({ site: siteInBucket, edges: edgesFor(flaky.url) })
  await house.know('post-1')
  const save = aSave(house.service)
  expect((await house.post(save.body, save.headers)).json.rc).toBe(1)

  for (const edges of [edgesFor((await startBucket(() => 403)).url), { environment: {} }]) {
    const other = await createTestGalley({ site: siteInBucket, edges })
    await other.know('post-1')
    const refused = aSave(other.service)
    const answer = await other.post(refused.body, refused.headers)
    expect([answer.status, answer.json.code]).toEqual([500, 'storage_failed'])
    expect(answer.text).not.toContain('bucket-secret')
    expect(await other.filesOf()).toEqual([])
    expect(other.galley.index.versions.list('acme', 'post-1')).toEqual([])
  }
})

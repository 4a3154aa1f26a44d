import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { entryKey } from '../../../packages/library/team/keys.ts'
import { probeBucket } from '../../../packages/team/bucket/probe.ts'
import { createS3SharedBucket } from '../../../packages/team/bucket/s3-shared-bucket.ts'
import { sha256Of } from '../../../packages/team/bucket/single-request.ts'
import type { CephGateway } from '../../support/ceph.ts'
import { hasCeph, sharedCeph } from '../../support/ceph.ts'
import type { Behaviour, Mishap } from '../../support/s3-server.ts'
import { startS3Server } from '../../support/s3-server.ts'
import { temporaryFolder } from '../../support/test-galley.ts'

const agent = new Agent({ connect: { timeout: 2000 } })
afterAll(() => agent.close())

const accessTo = (url: string, keys = { id: 'key', secret: 'secret' }, name = 'team') => ({
  name,
  root: `${url}/${name}`,
  prefix: 'a b/library/',
  region: 'us-east-1',
  keys,
  agent,
})

const payload = (text: string) => {
  const bytes = Buffer.from(text)
  return { sha256: sha256Of(bytes), sizeBytes: bytes.length, read: () => Readable.from([bytes]) }
}

async function aServer(behaviour: Behaviour = {}) {
  const server = await startS3Server(behaviour)
  onTestFinished(server.close)
  return { server, bucket: createS3SharedBucket(accessTo(server.url)) }
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Said {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A bucket behind which anything answers. */
async function answering(answer: (url: URL) => Said) {
  const server = createServer((request, response) => {
    const { status, headers, body } = answer(new URL(request.url ?? '', 'http://any'))
    request.resume().on('end', () => response.writeHead(status, { ...headers, connection: 'close' }).end(body))
  })
  return createS3SharedBucket(accessTo(await listening(server)))
}

describe('a bucket of S3', () => {
  test('creates an object once, and returns its content', async () => {
    const { bucket } = await aServer()
    expect(await bucket.get(entryKey(1))).toEqual({ kind: 'absent' })
    expect(await bucket.create(entryKey(1), Buffer.from('one'))).toEqual({ kind: 'created' })
    expect(await bucket.create(entryKey(1), Buffer.from('two'))).toEqual({ kind: 'exists' })
    expect(await bucket.get(entryKey(1))).toEqual({ kind: 'found', bytes: Buffer.from('one') })
    expect(await bucket.put(entryKey(1), payload('three'))).toEqual({ kind: 'done' })
    expect(await bucket.get(entryKey(1))).toEqual({ kind: 'found', bytes: Buffer.from('three') })
  })

  test('lists the keys after a key, without their prefix', async () => {
    const { bucket, server } = await aServer()
    for (const position of [3, 1, 2]) await bucket.put(`checkpoints/${position}.db.gz`, payload('x'))
    await bucket.put('files/abc', payload('x'))
    const described = { sizeBytes: 1, md5: '9dd4e461268c8034f5c8564e155c67a6' }
    expect(await bucket.listAfter('checkpoints/', 'checkpoints/1.db.gz')).toEqual({
      kind: 'listed',
      keys: ['checkpoints/2.db.gz', 'checkpoints/3.db.gz'],
      objects: new Map([
        ['checkpoints/2.db.gz', described],
        ['checkpoints/3.db.gz', described],
      ]),
    })
    expect(await bucket.remove('checkpoints/2.db.gz')).toEqual({ kind: 'done' })
    expect(await bucket.remove('checkpoints/2.db.gz')).toEqual({ kind: 'done' })
    expect([...server.objects.keys()]).not.toContain('a b/library/checkpoints/2.db.gz')
  })

  test.each<[Mishap]>([['cut_before'], ['cut_after'], ['status_409'], ['status_500'], ['status_503']])(
    'does not know what a request has done that ends with %s, and does not send it again',
    async (mishap) => {
      const { bucket, server } = await aServer({ mishap: () => mishap })
      expect(await bucket.create(entryKey(1), Buffer.from('one'))).toEqual({ kind: 'unknown' })
      expect(server.requests()).toBe(1)
      expect(await bucket.get(entryKey(1))).toEqual({ kind: 'unknown' })
      expect(await bucket.put(entryKey(1), payload('one'))).toEqual({ kind: 'unknown' })
      expect(await bucket.remove('files/abc')).toEqual({ kind: 'unknown' })
    },
  )

  test('does not take the page of a proxy for the answer of the storage', async () => {
    const { bucket, server } = await aServer({ mishap: () => 'page' })
    expect(await bucket.create(entryKey(1), Buffer.from('one'))).toEqual({ kind: 'unknown' })
    expect(await bucket.put('files/abc', payload('one'))).toEqual({ kind: 'unknown' })
    expect(await bucket.listAfter('files/', '')).toMatchObject({ kind: 'refused', why: { code: 'bucket_not_s3' } })
    expect(await bucket.get(entryKey(1))).toEqual({ kind: 'unknown' })
    expect(await bucket.fetch('files/abc', join(await temporaryFolder(), 'abc'), 5)).toEqual({ kind: 'unknown' })
    expect(server.requests()).toBe(5)
  })

  test.each([
    ['a 404 page', 404, { 'content-type': 'text/plain' }, '404 page not found'],
    ['an empty 200 without an ETag', 200, {}, ''],
    ['an error in a 200', 200, {}, '<?xml version="1.0"?>\n<Error><Code>SlowDown</Code></Error>'],
    ['a list that is cut off', 200, {}, '<ListBucketResult><Contents><Key>a%20b/library/log/'],
  ])('does not take %s for the answer of the storage', async (name, status, headers, body) => {
    const bucket = await answering(() => ({ status, headers, body }))
    expect(await bucket.create(entryKey(1), Buffer.from('one'))).toEqual({ kind: 'unknown' })
    if (body !== '') expect(await bucket.put('files/abc', payload('one'))).toEqual({ kind: 'unknown' })
    if (status === 404 || body.includes('<Error'))
      for (const answer of [bucket.get(entryKey(1)), bucket.remove('files/abc')])
        expect(await answer, name).toEqual({ kind: 'unknown' })
    if (body !== '') expect(await bucket.listAfter('log/', '')).toEqual({ kind: 'unknown' })
  })

  test.each([408, 421, 425, 429, 503])(
    'takes status %i as passing, and says how long the storage asks to wait',
    async (status) => {
      const passing = await answering(() => ({ status, headers: { 'retry-after': '3' }, body: '' }))
      const after = { kind: 'unknown', afterMs: 3000 }
      expect(await passing.create(entryKey(1), Buffer.from('one'))).toEqual(after)
      expect(await passing.get(entryKey(1))).toEqual(after)
      expect(await passing.listAfter('log/', '')).toEqual(after)
    },
  )

  test('does not take an object without a length for a whole one, when its connection ends', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhalf of'))
    })
    const bucket = createS3SharedBucket(accessTo(await listening(server)))
    expect(await bucket.get(entryKey(1))).toEqual({ kind: 'unknown' })
  })

  test('lists beyond empty pages, and keys with signs that XML escapes', async () => {
    const page = (inside: string) => `<ListBucketResult>${inside}</ListBucketResult>`
    const next = '<IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b</NextContinuationToken>'
    const bucket = await answering(({ searchParams }) => ({
      status: 200,
      headers: {},
      body:
        searchParams.get('continuation-token') === 'a&b'
          ? page(
              '<Contents><Key>a b/library/R&amp;D&#38;1</Key></Contents><Contents><Key>a b/library/100%</Key></Contents>',
            )
          : page(next),
    }))
    expect(await bucket.listAfter('', '')).toMatchObject({ kind: 'listed', keys: ['100%', 'R&D&1'] })
    const endless = await answering(() => ({ status: 200, headers: {}, body: page(next) }))
    expect(await endless.listAfter('', '')).toMatchObject({ kind: 'refused', why: { code: 'bucket_not_s3' } })
    const others = page('<Contents><Key>elsewhere/log/1</Key></Contents>')
    const foreign = await answering(() => ({ status: 200, headers: {}, body: others }))
    expect(await foreign.listAfter('', '')).toMatchObject({ kind: 'refused', why: { code: 'bucket_not_s3' } })
  })

  test('reads a stored page, although the storage says what it is', async () => {
    const { bucket } = await aServer({ mishap: () => 'page' })
    const { sha256 } = payload('<html><body>Sign in to this network</body></html>')
    const path = join(await temporaryFolder(), 'page')
    expect(await bucket.fetch(`files/${sha256}`, path, 100)).toEqual({ kind: 'found', sha256 })
    expect(await bucket.fetch(`files/${sha256}.12`, path, 100)).toEqual({ kind: 'found', sha256 })
  })

  test('refuses a storage that lists from the beginning again, and reads keys that it does not encode', async () => {
    const { bucket } = await aServer({ listsBadly: true })
    await bucket.put('files/100%', payload('x'))
    expect(await bucket.listAfter('files/', '')).toMatchObject({ kind: 'listed', keys: ['files/100%'] })
    expect(await bucket.listAfter('files/', 'files/100%')).toMatchObject({
      kind: 'refused',
      why: { code: 'bucket_not_s3' },
    })
  })

  test('reads an entry for as long as its bytes arrive, but not from a connection that only drips', async () => {
    const sending = async (piece: string, everyMs: number, pieces: number) => {
      const server = createServer((_, response) => {
        let sent = 0
        const timer = setInterval(() => {
          sent += 1
          response.write(piece)
          if (sent === pieces) response.end()
          if (sent === pieces || response.destroyed) clearInterval(timer)
        }, everyMs)
      })
      return createS3SharedBucket(accessTo(await listening(server)))
    }
    const [slow, dripping] = [await sending('piece ', 1000, 11), await sending('.', 400, 60)]
    const [read, dripped] = await Promise.all([slow.get(entryKey(1)), dripping.get(entryKey(1))])
    expect(read).toEqual({ kind: 'found', bytes: Buffer.from('piece '.repeat(11)) })
    expect(dripped).toEqual({ kind: 'unknown' })
  })

  test('reads no more of an object than it can have, however much the storage sends', async () => {
    const closed = Promise.withResolvers<void>()
    const server = createServer((_, response) => {
      const more = (): void => {
        while (response.write('x'.repeat(65_536)));
      }
      response.on('drain', more).on('close', closed.resolve)
      more()
    })
    const path = join(await temporaryFolder(), 'endless')
    const endless = createS3SharedBucket(accessTo(await listening(server)))
    expect(await endless.fetch('files/abc', path, 1_000_000)).toEqual({ kind: 'longer' })
    await closed.promise
    expect((await stat(path)).size).toBeLessThanOrEqual(1_000_000)
    const { bucket } = await aServer()
    await bucket.put('files/abc', payload('12345'))
    expect(await bucket.fetch('files/abc', path, 5)).toMatchObject({ kind: 'found' })
    expect(await bucket.fetch('files/abc', path, 4)).toEqual({ kind: 'longer' })
  })

  test('opens what it sends only once the request is signed, and reports that it cannot be read', async () => {
    const { bucket } = await aServer()
    let opened = 0
    const missing = join(await temporaryFolder(), 'missing')
    const sent = { ...payload('one'), read: () => ((opened += 1), createReadStream(missing)) }
    const unsigned = createS3SharedBucket(accessTo('no address'))
    await expect(unsigned.put('files/abc', sent)).rejects.toThrow('Invalid URL')
    expect(opened).toBe(0)
    await expect(bucket.put('files/abc', sent)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(opened).toBe(1)
  })

  test('reports an unknown result if the storage cannot be reached', async () => {
    const server = await startS3Server()
    await server.close()
    const bucket = createS3SharedBucket(accessTo(server.url))
    expect(await bucket.create(entryKey(1), Buffer.from('one'))).toEqual({ kind: 'unknown' })
  })

  test('reports a missing bucket', async () => {
    const { server } = await aServer()
    const bucket = createS3SharedBucket(accessTo(server.url, undefined, 'nobody'))
    const refused = { kind: 'refused', why: { code: 'bucket_missing', name: 'nobody' } }
    expect(await bucket.create(entryKey(1), Buffer.from('one'))).toEqual(refused)
    expect(await bucket.get(entryKey(1))).toEqual(refused)
    expect(await bucket.listAfter('log/', '')).toEqual(refused)
  })
})

describe('the probe of a bucket', () => {
  test('finds one winner of two and of twenty, and leaves nothing behind', async () => {
    const { bucket, server } = await aServer()
    expect(await probeBucket(bucket)).toEqual([
      { racers: 2, winners: 1 },
      { racers: 20, winners: 1 },
    ])
    expect(server.objects.size).toBe(0)
  })

  test('refuses a storage that ignores the condition', async () => {
    const { bucket, server } = await aServer({ ignoresCondition: true })
    await expect(probeBucket(bucket)).rejects.toMatchObject({ reason: { code: 'bucket_unsuitable', name: 2, why: 2 } })
    expect(server.objects.size).toBe(0)
  })

  test('repeats a round in which an answer was lost', async () => {
    let cuts = 0
    const { bucket } = await aServer({
      mishap: (method) => (method === 'PUT' && (cuts += 1) <= 2 ? 'cut_after' : null),
    })
    expect(await probeBucket(bucket)).toHaveLength(2)
    expect(cuts).toBeGreaterThan(22)
  })

  test('repeats a round in which a proxy sent the request of the winner twice', async () => {
    let puts = 0
    const { bucket } = await aServer({ mishap: (method) => (method === 'PUT' && (puts += 1) <= 2 ? 'twice' : null) })
    expect(await probeBucket(bucket)).toEqual([
      { racers: 2, winners: 1 },
      { racers: 20, winners: 1 },
    ])
    expect(puts).toBe(24)
  })

  test('refuses a storage that accepts no request', async () => {
    const { bucket } = await aServer({ mishap: (method) => (method === 'PUT' ? 'twice' : null) })
    await expect(probeBucket(bucket)).rejects.toMatchObject({ reason: { code: 'bucket_unsuitable', name: 2, why: 0 } })
  })
})

describe.skipIf(!hasCeph)('a bucket of a real Ceph RADOS Gateway', () => {
  let ceph: CephGateway
  let own: string
  beforeAll(async () => {
    ceph = await sharedCeph()
    own = await ceph.aBucket('private')
  })
  const bucketOf = (name: string, keys = ceph.owner) => createS3SharedBucket(accessTo(ceph.url, keys, name))

  test('has one winner of each race', async () => {
    const bucket = bucketOf(own)
    const found = await probeBucket(bucket)
    expect(found.map(({ winners }) => winners)).toEqual([1, 1])
    expect(await bucket.listAfter('probe/', '')).toMatchObject({ kind: 'listed', keys: [] })
  })

  test('is unsuitable with versioning', async () => {
    const versioned = await ceph.aBucket('private')
    await ceph.keepVersions(versioned)
    await expect(probeBucket(bucketOf(versioned))).rejects.toMatchObject({ reason: { code: 'bucket_unsuitable' } })
  })

  test('creates, lists, reads and removes', async () => {
    const bucket = bucketOf(own)
    expect(await bucket.create(entryKey(7), Buffer.from('one'))).toEqual({ kind: 'created' })
    expect(await bucket.create(entryKey(7), Buffer.from('two'))).toEqual({ kind: 'exists' })
    expect(await bucket.get(entryKey(7))).toEqual({ kind: 'found', bytes: Buffer.from('one') })
    expect(await bucket.get(entryKey(8))).toEqual({ kind: 'absent' })
    expect(await bucket.put('files/abc', payload('file'))).toEqual({ kind: 'done' })
    expect(await bucket.listAfter('', entryKey(6))).toMatchObject({ kind: 'listed', keys: [entryKey(7)] })
    expect(await bucket.remove('files/abc')).toEqual({ kind: 'done' })
    expect(await bucket.get('files/abc')).toEqual({ kind: 'absent' })
  })

  test('refuses wrong keys, an unknown bucket, and writes of a reader', async () => {
    const reader = bucketOf(await ceph.aBucket('read_only'), ceph.reader)
    expect(await reader.get(entryKey(1))).toEqual({ kind: 'absent' })
    expect(await reader.create(entryKey(1), Buffer.from('one'))).toMatchObject({ why: { code: 'bucket_denied' } })
    const wrong = bucketOf(own, { ...ceph.owner, secret: 'wrong' })
    expect(await wrong.get(entryKey(1))).toMatchObject({ kind: 'refused', why: { code: 'bucket_key_wrong' } })
    expect(await bucketOf('nobody').get(entryKey(1))).toMatchObject({ why: { code: 'bucket_missing' } })
  })
})

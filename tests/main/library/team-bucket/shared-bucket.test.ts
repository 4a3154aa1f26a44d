import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { createS3SharedBucket } from '../../../../src/main/library/team-bucket/s3-shared-bucket.ts'
import { probeBucket } from '../../../../src/main/library/team-bucket/probe.ts'
import { sha256Of } from '../../../../src/main/library/team-bucket/single-request.ts'
import { entryKey } from '../../../../src/main/library/team/keys.ts'
import type { Ceph } from '../../../support/ceph.ts'
import { hasCeph, startCeph } from '../../../support/ceph.ts'
import type { Behaviour, Mishap } from '../../../support/s3-server.ts'
import { startS3Server } from '../../../support/s3-server.ts'

const agent = new Agent({ connect: { timeout: 2000 } })
afterAll(() => agent.close())

const accessTo = (url: string, keys = { id: 'key', secret: 'secret' }, name = 'team') => ({
  ...{ name, root: `${url}/${name}`, prefix: 'a b/library/', region: 'us-east-1', keys, agent },
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
    expect(await bucket.listAfter('checkpoints/', 'checkpoints/1.db.gz')).toEqual({
      ...{ kind: 'listed', keys: ['checkpoints/2.db.gz', 'checkpoints/3.db.gz'] },
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

  test('does not take the page of a proxy for the answer to a write', async () => {
    const { bucket, server } = await aServer({ mishap: () => 'page' })
    expect(await bucket.create(entryKey(1), Buffer.from('one'))).toEqual({ kind: 'unknown' })
    expect(await bucket.put('files/abc', payload('one'))).toEqual({ kind: 'unknown' })
    expect(await bucket.listAfter('files/', '')).toMatchObject({ kind: 'refused', why: { code: 'bucket_not_s3' } })
    expect(server.requests()).toBe(3)
  })

  test('refuses a storage that lists from the beginning again, and reads keys that it does not encode', async () => {
    const { bucket } = await aServer({ listsBadly: true })
    await bucket.put('files/100%', payload('x'))
    expect(await bucket.listAfter('files/', '')).toEqual({ kind: 'listed', keys: ['files/100%'] })
    expect(await bucket.listAfter('files/', 'files/100%')).toMatchObject({
      ...{ kind: 'refused', why: { code: 'bucket_not_s3' } },
    })
  })

  test('reads an entry for as long as its bytes arrive', async () => {
    const pieces = 11
    const server = createServer((_, response) => {
      let sent = 0
      const timer = setInterval(() => {
        sent += 1
        response.write('piece ')
        if (sent < pieces) return
        clearInterval(timer)
        response.end()
      }, 1000)
    })
    server.listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const bucket = createS3SharedBucket(accessTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
    expect(await bucket.get(entryKey(1))).toEqual({ kind: 'found', bytes: Buffer.from('piece '.repeat(pieces)) })
  }, 20_000)

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
})

describe.skipIf(!hasCeph)('a bucket of a real Ceph RADOS Gateway', () => {
  let ceph: Ceph
  beforeAll(async () => {
    ceph = await startCeph()
    await ceph.makeBucket('team', 'private')
    await ceph.makeBucket('versioned', 'private')
    await ceph.makeBucket('readable', 'read_only')
    await ceph.keepVersions('versioned')
  }, 120_000)
  afterAll(() => ceph.stop())
  const bucketOf = (name: string, keys = ceph.owner) => createS3SharedBucket(accessTo(ceph.url, keys, name))

  test('has one winner of each race', async () => {
    const bucket = bucketOf('team')
    const found = await probeBucket(bucket)
    expect(found.map(({ winners }) => winners)).toEqual([1, 1])
    expect(await bucket.listAfter('probe/', '')).toEqual({ kind: 'listed', keys: [] })
  })

  test('is unsuitable with versioning', async () => {
    await expect(probeBucket(bucketOf('versioned'))).rejects.toMatchObject({ reason: { code: 'bucket_unsuitable' } })
  })

  test('creates, lists, reads and removes', async () => {
    const bucket = bucketOf('team')
    expect(await bucket.create(entryKey(7), Buffer.from('one'))).toEqual({ kind: 'created' })
    expect(await bucket.create(entryKey(7), Buffer.from('two'))).toEqual({ kind: 'exists' })
    expect(await bucket.get(entryKey(7))).toEqual({ kind: 'found', bytes: Buffer.from('one') })
    expect(await bucket.get(entryKey(8))).toEqual({ kind: 'absent' })
    expect(await bucket.put('files/abc', payload('file'))).toEqual({ kind: 'done' })
    expect(await bucket.listAfter('', entryKey(6))).toEqual({ kind: 'listed', keys: [entryKey(7)] })
    expect(await bucket.remove('files/abc')).toEqual({ kind: 'done' })
    expect(await bucket.get('files/abc')).toEqual({ kind: 'absent' })
  })

  test('refuses wrong keys, an unknown bucket, and writes of a reader', async () => {
    const reader = bucketOf('readable', ceph.reader)
    expect(await reader.get(entryKey(1))).toEqual({ kind: 'absent' })
    expect(await reader.create(entryKey(1), Buffer.from('one'))).toMatchObject({ why: { code: 'bucket_denied' } })
    const wrong = bucketOf('team', { ...ceph.owner, secret: 'wrong' })
    expect(await wrong.get(entryKey(1))).toMatchObject({ kind: 'refused', why: { code: 'bucket_key_wrong' } })
    expect(await bucketOf('nobody').get(entryKey(1))).toMatchObject({ why: { code: 'bucket_missing' } })
  })
})

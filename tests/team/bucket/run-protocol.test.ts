import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Agent } from 'undici'
import { afterAll, expect, onTestFinished, test } from 'vitest'

import { checkpointKey, entryKey, fileKey } from '../../../packages/library/team/keys.ts'
import type { Answer, Protocol } from '../../../packages/library/team/requests.ts'
import { BucketAwayError, untilKnown } from '../../../packages/library/team/requests.ts'
import { payloadOfFile } from '../../../packages/team/bucket/file-payload.ts'
import { repeatUntilKnown } from '../../../packages/team/bucket/repeat-until-known.ts'
import { runProtocol } from '../../../packages/team/bucket/run-protocol.ts'
import { createS3SharedBucket } from '../../../packages/team/bucket/s3-shared-bucket.ts'
import { sha256Of } from '../../../packages/team/bucket/single-request.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import type { Behaviour } from '../../support/s3-server.ts'
import { startS3Server } from '../../support/s3-server.ts'
import { temporaryFolder } from '../../support/test-galley.ts'

const agent = new Agent({ connect: { timeout: 2000 } })
afterAll(() => agent.close())

const bucketAt = (url: string) =>
  createS3SharedBucket({
    name: 'team',
    root: `${url}/team`,
    prefix: '',
    region: 'us-east-1',
    agent,
    keys: { id: 'key', secret: 'secret' },
  })

async function aServer(behaviour: Behaviour = {}) {
  const server = await startS3Server(behaviour)
  onTestFinished(server.close)
  return { server, bucket: bucketAt(server.url) }
}

/** Sends ten files in one request of the protocol. */
async function upload(behaviour: Behaviour) {
  const { server, bucket } = await aServer(behaviour)
  const files = Array.from({ length: 10 }, (_, nth) => {
    const file = sha256Of(Buffer.from(`file ${nth}`)) as Sha256
    return { file, key: fileKey(file, 0) }
  })
  function* sending(): Protocol<Answer> {
    return yield { kind: 'upload', files }
  }
  const answer = runProtocol(sending(), {
    bucket,
    timeLimitMs: 10_000,
    payloadOf: (file) => ({
      sha256: sha256Of(Buffer.from(file)),
      sizeBytes: file.length,
      read: () => Readable.from([Buffer.from(file)]),
    }),
  })
  return { answer, server, keys: files.map(({ key }) => key) }
}

test('files of an upload are sent in parallel, at most six at a time', async () => {
  const sixAreThere = Promise.withResolvers<void>()
  let underWay = 0
  let most = 0
  const { answer, server, keys } = await upload({
    async hold() {
      underWay += 1
      most = Math.max(most, underWay)
      if (underWay === 6) sixAreThere.resolve()
      // A client that sends one file after another would never get past this.
      await sixAreThere.promise
      underWay -= 1
    },
  })
  const answered = await answer
  expect(answered.kind === 'uploaded' && answered.keys.toSorted()).toEqual(keys.toSorted())
  expect([...server.objects.keys()].toSorted()).toEqual(keys.toSorted())
  expect(most).toBe(6)
})

test('an upload names only the files that are known to be stored', async () => {
  const lost = new Set<string>()
  const { answer, keys } = await upload({
    mishap(_, key) {
      if (lost.size === 3 || lost.has(key)) return null
      lost.add(key)
      return 'cut_after'
    },
  })
  const answered = await answer
  expect(answered.kind === 'uploaded' && answered.keys.toSorted()).toEqual(
    keys.filter((key) => !lost.has(key)).toSorted(),
  )
})

test('an upload ends with the first refusal', async () => {
  const { answer } = await upload({ mishap: () => 'status_403' })
  await expect(answer).rejects.toMatchObject({ reason: { code: 'bucket_denied' } })
})

test('entries are read beside others up to 1 MiB each, and larger ones alone', async () => {
  const { bucket } = await aServer()
  const sizes = [1, 1_100_000, 2, 1_000_000]
  for (const [at, size] of sizes.entries()) await bucket.create(entryKey(at + 1), Buffer.alloc(size, at))
  const read = async (from: number) => {
    const keys = [0, 1, 2, 3].map((nth) => entryKey(from + nth))
    const answer = await runProtocol(untilKnown({ kind: 'get', keys }), {
      bucket,
      timeLimitMs: 10_000,
      payloadOf: () => expect.fail('Nothing is sent'),
    })
    return answer.kind === 'found' ? [answer.objects.map(({ length }) => length), answer.isCut] : answer
  }
  expect(await read(1)).toEqual([[1], true])
  expect(await read(2)).toEqual([[1_100_000], true])
  expect(await read(3)).toEqual([[2, 1_000_000], false])
})

test('a checkpoint is not read beyond the room on the disk', async () => {
  const { server, bucket } = await aServer()
  const key = checkpointKey(7)
  server.objects.set(key, Buffer.from('12345'))
  const folder = await temporaryFolder()
  const load = (room: number) =>
    runProtocol(untilKnown({ kind: 'load_checkpoint', key }), {
      bucket,
      timeLimitMs: 10_000,
      payloadOf: () => payloadOfFile('', ''),
      checkpoints: {
        pathOf: (position) => join(folder, String(position)),
        maxBytes: () => Promise.resolve(room),
        take: async (_, fetched) => ((await readFile(fetched, 'utf8')) === '12345' ? 'fit' : 'unfit'),
        judge: () => Promise.resolve('unfit'),
      },
    })
  expect(await load(4)).toEqual({ kind: 'no_room' })
  expect(await readdir(folder)).toEqual([])
  expect(await load(5)).toEqual({ kind: 'done' })
})

test('the storage is asked again when it wants to be, or not at all if that is too late', async () => {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    response.writeHead(503, { 'retry-after': '2' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const bucket = bucketAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const ports = { bucket, timeLimitMs: 1_000, payloadOf: () => payloadOfFile('', '') }
  await expect(runProtocol(untilKnown({ kind: 'list', under: 'log/', after: '' }), ports)).rejects.toThrow(
    BucketAwayError,
  )
  await expect(repeatUntilKnown(() => bucket.get('library.json'), 1_000)).rejects.toThrow(BucketAwayError)
  expect(requests).toBe(2)
  const protocol = untilKnown({ kind: 'list', under: 'log/', after: '' })
  protocol.next()
  const answer = await bucket.listAfter('log/', '')
  if (answer.kind === 'unknown') expect(protocol.next(answer).value).toEqual({ kind: 'wait', ms: 2_000 })
  expect(answer.kind).toBe('unknown')
})

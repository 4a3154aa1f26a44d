import { Readable } from 'node:stream'
import { Agent } from 'undici'
import { afterAll, expect, onTestFinished, test } from 'vitest'

import type { Sha256 } from '../../../../src/contract/ids.ts'
import { drive } from '../../../../src/main/library/team-bucket/drive.ts'
import { createS3SharedBucket } from '../../../../src/main/library/team-bucket/s3-shared-bucket.ts'
import { sha256Of } from '../../../../src/main/library/team-bucket/single-request.ts'
import { fileKey } from '../../../../src/main/library/team/keys.ts'
import type { Answer, Protocol } from '../../../../src/main/library/team/requests.ts'
import type { Behaviour } from '../../../support/s3-server.ts'
import { startS3Server } from '../../../support/s3-server.ts'

const agent = new Agent({ connect: { timeout: 2000 } })
afterAll(() => agent.close())

/** Sends ten files in one request of the protocol. */
async function upload(behaviour: Behaviour) {
  const server = await startS3Server(behaviour)
  onTestFinished(server.close)
  const bucket = createS3SharedBucket({
    ...{ name: 'team', root: `${server.url}/team`, prefix: '', region: 'us-east-1', agent },
    keys: { id: 'key', secret: 'secret' },
  })
  const files = Array.from({ length: 10 }, (_, nth) => {
    const file = sha256Of(Buffer.from(`file ${nth}`)) as Sha256
    return { file, key: fileKey(file, 0) }
  })
  function* sending(): Protocol<Answer> {
    return yield { kind: 'upload', files }
  }
  const answer = drive(sending(), {
    ...{ bucket, timeLimitMs: 10_000 },
    payloadOf: (file) => ({
      ...{
        sha256: sha256Of(Buffer.from(file)),
        sizeBytes: file.length,
        read: () => Readable.from([Buffer.from(file)]),
      },
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

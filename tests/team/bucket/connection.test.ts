import { expect, onTestFinished, test } from 'vitest'

import { createNetwork } from '../../../packages/platform/network/network.ts'
import { connectTeam } from '../../../packages/team/bucket/connection.ts'
import type { Mishap } from '../../support/s3-server.ts'
import { startS3Server } from '../../support/s3-server.ts'

// The keys of a connection, which somebody replaces while it is in use.

/** A storage that accepts one access key, and a connection that reads its keys from a place where they can be replaced. */
async function aConnection(refusal: Mishap = 'key_unknown') {
  const state = { accepted: 'first', kept: 'first', reads: 0 }
  const server = await startS3Server({ mishap: (_method, _key, id) => (id === state.accepted ? null : refusal) })
  onTestFinished(server.close)
  const connection = connectTeam({
    place: { bucket: 'team', prefix: 'library/', endpoint: server.url, region: 'us-east-1' },
    network: createNetwork({}),
    keys() {
      state.reads += 1
      return Promise.resolve({ id: state.kept, secret: 'anything' })
    },
    pathOf: () => '',
  })
  onTestFinished(connection.close)
  const refused: string[] = []
  connection.onRefusedWrite(({ code }) => void refused.push(code))
  return { state, server, connection, refused, bucket: await connection.reached() }
}

test.each(['key_unknown', 'key_wrong', 'status_403'] as const)(
  'a request that is refused for its keys (%s) is sent again with keys that were replaced',
  async (refusal) => {
    const { state, server, refused, bucket } = await aConnection(refusal)
    expect(await bucket.create('log/1', Buffer.from('one'))).toEqual({ kind: 'created' })
    Object.assign(state, { accepted: 'second', kept: 'second' })
    const answers = await Promise.all(['log/2', 'log/3'].map((key) => bucket.create(key, Buffer.from(key))))
    expect(answers).toEqual([{ kind: 'created' }, { kind: 'created' }])
    expect(await bucket.get('log/1')).toMatchObject({ kind: 'found' })
    expect([...server.objects.keys()]).toHaveLength(3)
    expect(refused).toEqual([])
  },
)

test('a request is sent once if the keys are the same as before, and its refusal is reported', async () => {
  const { state, server, refused, bucket } = await aConnection()
  state.accepted = 'second'
  const before = server.requests()
  expect(await bucket.create('log/1', Buffer.from('one'))).toMatchObject({ why: { code: 'bucket_key_unknown' } })
  expect(server.requests()).toBe(before + 1)
  expect(refused).toEqual(['bucket_key_unknown'])
})

test('a refusal for another reason does not read the keys again', async () => {
  const { state, bucket } = await aConnection('no_bucket')
  const { reads } = state
  Object.assign(state, { accepted: 'second', kept: 'second' })
  expect(await bucket.get('log/1')).toMatchObject({ why: { code: 'bucket_missing' } })
  expect(state.reads).toBe(reads)
})

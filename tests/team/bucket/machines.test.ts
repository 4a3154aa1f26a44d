import { Readable } from 'node:stream'
import { Agent } from 'undici'
import { afterAll, expect, onTestFinished, test } from 'vitest'

import { entryKey } from '../../../packages/library/team/keys.ts'
import type { Protocol } from '../../../packages/library/team/requests.ts'
import { runProtocol } from '../../../packages/team/bucket/run-protocol.ts'
import { createS3SharedBucket } from '../../../packages/team/bucket/s3-shared-bucket.ts'
import { sha256Of } from '../../../packages/team/bucket/single-request.ts'
import type { Attempt } from '../../library/team/model/machine.ts'
import { createMachine } from '../../library/team/model/machine.ts'
import type { Write } from '../../library/team/model/rows.ts'
import { digestOf, keyOfFile, shaOf } from '../../library/team/model/rows.ts'
import { randomFrom } from '../../support/random.ts'
import type { Mishap } from '../../support/s3-server.ts'
import { startS3Server } from '../../support/s3-server.ts'

const agent = new Agent({ connect: { timeout: 2000 } })
afterAll(() => agent.close())

const mishaps: readonly Mishap[] = ['cut_before', 'cut_after', 'status_409', 'status_500', 'status_503']

test('machines that share a failing bucket keep each acknowledged save exactly once', async () => {
  const random = randomFrom(13)
  let isBad = true
  const server = await startS3Server({
    mishap: () => (isBad && random() < 0.25 ? (mishaps[Math.floor(random() * mishaps.length)] ?? null) : null),
  })
  onTestFinished(server.close)
  const keys = { id: 'key', secret: 'secret' }
  const bucket = createS3SharedBucket({
    name: 'team',
    root: `${server.url}/team`,
    prefix: 'p/',
    region: 'us-east-1',
    keys,
    agent,
  })
  const bytesOf = (file: string) => Buffer.from(`file ${file}`)
  const run = <Value>(protocol: Protocol<Value>): Promise<Value> =>
    runProtocol(protocol, {
      bucket,
      timeLimitMs: 20_000,
      payloadOf: (file) => ({
        sha256: sha256Of(bytesOf(file)),
        sizeBytes: bytesOf(file).length,
        read: () => Readable.from([bytesOf(file)]),
      }),
    })

  const machines = Array.from({ length: 4 }, () => createMachine({}, random, () => undefined))
  let attempts = 0
  const acknowledged: number[] = []
  async function write(at: number, write: Write): Promise<void> {
    const attempt: Attempt = { write, from: 0, to: 0, end: null }
    await run(machines[at]!.write([attempt]))
    if (write.kind === 'save' && attempt.end === null) acknowledged.push(write.id)
  }
  await write(0, { kind: 'open', material: 'a', attempt: (attempts += 1) })
  await Promise.all(
    machines.map(async (_, at) => {
      for (let nth = 0; nth < 12; nth += 1) {
        const attempt = (attempts += 1)
        await write(at, { kind: 'save', id: attempt, material: 'a', files: [`file ${attempt}`, 'shared'], attempt })
      }
    }),
  )
  isBad = false
  for (const machine of machines) await run(machine.follow())

  const [rows, ...others] = machines.map((machine) => machine.rows())
  expect(others.map(digestOf)).toEqual(others.map(() => digestOf(rows!)))
  expect(acknowledged).toHaveLength(48)
  expect(
    Object.keys(rows!.saves)
      .map(Number)
      .toSorted((one, other) => one - other),
  ).toEqual(acknowledged.toSorted((one, other) => one - other))
  // The opening entry, and one for each save.
  expect(rows!.position).toBe(49)
  expect(await bucket.get(entryKey(50))).toEqual({ kind: 'absent' })
  for (const file of ['shared', ...acknowledged.map((id) => `file ${id}`)])
    expect(server.objects.get(`p/${keyOfFile(rows!, file)}`)).toEqual(bytesOf(shaOf(file)))
})

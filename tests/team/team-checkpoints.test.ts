import { Agent } from 'undici'
import { afterAll, expect, it, onTestFinished } from 'vitest'

import { entryKey } from '../../packages/library/team/keys.ts'
import { createTeamCheckpoints } from '../../packages/team/team-checkpoints.ts'
import { acme } from '../library/db/sample.ts'
import { aMember, firstEntry, makeMember, saveAndFold } from '../library/db/team/members.ts'
import { reach } from '../library/db/team/reach.ts'
import { startS3Server } from '../support/s3-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const agent = new Agent({ connect: { timeout: 2000 } })
afterAll(() => agent.close())

it('a checkpoint that could not be sent is sent later', async () => {
  const fault = { isOn: false }
  const server = await startS3Server({
    mishap: (method, key) => (fault.isOn && method === 'PUT' && key.includes('/checkpoints/') ? 'status_403' : null),
  })
  onTestFinished(server.close)
  const { bucket, run } = reach({ url: server.url, keys: { id: 'key', secret: 'secret' } }, agent)
  await bucket.create(entryKey(1), firstEntry)
  const folder = await temporaryFolder()
  makeMember(folder)
  const member = await aMember(run, folder)
  const { library, index } = member
  await index.commit.write(() => index.sites.put(acme))
  await saveAndFold(run, member)
  const checkpoints = () => [...server.objects.keys()].filter((key) => key.includes('/checkpoints/'))
  for (const key of checkpoints()) server.objects.delete(key)

  const connection = { reached: () => Promise.resolve(bucket), run }
  const send = createTeamCheckpoints(library, index, connection, { againMs: 0 })
  const { signal } = new AbortController()
  fault.isOn = true
  await expect(send(signal)).rejects.toMatchObject({ reason: { code: 'bucket_denied' } })
  fault.isOn = false
  await send(signal)
  expect(checkpoints()).toHaveLength(1)
})

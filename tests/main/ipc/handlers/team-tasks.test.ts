import { expect, test } from 'vitest'

import { materialsIn } from '../../../support/records.ts'
import type { Behaviour } from '../../../support/s3-server.ts'
import { ended, setUp, shared } from './team-fixture.ts'

const deleting = { site: 'acme', materialIds: ['post-1'], isDryRun: false }

test('a task says that the bucket of the team did not take what it wrote', async () => {
  const outage = { mishap: null as ReturnType<NonNullable<Behaviour['mishap']>> }
  const at = await setUp({ mishap: (method) => (method === 'GET' ? null : outage.mishap) })
  const { calls, galley, agreed } = await shared(at)
  agreed.push(true, true, true)
  outage.mishap = 'status_403'
  expect(await ended(galley, await calls.startMaterialDelete(deleting))).toMatchObject({
    kind: 'failed',
    problem: { code: 'team_failed', state: 'task', reason: { code: 'bucket_denied' } },
  })
  expect(galley.index.materialList.count('acme')).toBe(1)
  outage.mishap = null
  expect(await ended(galley, await calls.startMaterialDelete(deleting))).toMatchObject({ kind: 'done' })
})

test('a task of a member that can only read says so', async () => {
  const rights = { canWrite: true }
  const at = await setUp({ mishap: (method) => (rights.canWrite || method === 'GET' ? null : 'status_403') })
  const writer = await shared(at)
  rights.canWrite = false
  const { form, first, open } = at
  // Other keys are tried as those of a join are, and found to be read-only.
  expect(await writer.calls.changeTeamKeys(form.keys)).toMatchObject({ ok: true })
  await writer.close()
  const reader = await open(first.folder)
  expect(await reader.calls.readTeam(undefined)).toMatchObject({ isReadOnly: true })
  const change = { ...materialsIn('acme', 'post-1'), set: { title: 'New', slug: 'new' } }
  expect(await reader.calls.setFields(change)).toMatchObject({
    failure: { code: 'team_failed', state: 'read_only' },
  })
  reader.agreed.push(true)
  expect(await ended(reader.galley, await reader.calls.startMaterialDelete(deleting))).toMatchObject({
    kind: 'failed',
    problem: { code: 'team_read_only' },
  })
})

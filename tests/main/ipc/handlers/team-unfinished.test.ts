import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { entriesIn } from '../../../../packages/library/secrets/folder-entries.ts'
import type { Membership } from '../../../../packages/team/bucket/membership.ts'
import { temporaryFolder } from '../../../support/test-galley.ts'
import { ended, setUp, keys, shared, tokenOf } from './team-fixture.ts'

/** A folder as a join leaves it that is cut off before its last step, and windows that were started with it. */
async function anUnfinishedJoin() {
  const at = await setUp()
  await shared(at)
  const other = await at.open(join(await temporaryFolder(), 'other'))
  const folder = await temporaryFolder()
  other.agreed.push(true)
  const options = { ...at.form, folder: await tokenOf(other, folder) }
  expect(await ended(other.galley, await other.calls.startTeamJoin(options))).toMatchObject({ kind: 'done' })
  const file = join(folder, 'team.json')
  const membership = JSON.parse(await readFile(file, 'utf8')) as Membership
  await writeFile(file, JSON.stringify({ ...membership, state: 'joining' }))
  await expect(at.open(folder)).rejects.toThrow('has not finished joining')
  const unfinished = { ...membership, folder }
  const window = await at.open(join(await temporaryFolder(), 'spare'), { unfinished })
  const account = `team-keys@${membership.member}`
  return { ...at, ...window, other, folder, account, kept: entriesIn(at.secrets, folder) }
}

test('an interrupted join continues with the stored keys', async () => {
  const { calls, galley, agreed, shown, kept, place, folder, account, open, other } = await anUnfinishedJoin()
  expect(await other.calls.unfinishedJoin(undefined)).toBeNull()
  expect(await other.calls.resumeTeamJoin({ keys: null })).toMatchObject({ failure: { code: 'unknown_task' } })
  const found = await calls.unfinishedJoin(undefined)
  expect(found).toEqual({ folder, place, hasKeys: true })
  expect(await calls.resumeTeamJoin({ keys: null })).toMatchObject({ failure: { code: 'not_confirmed' } })
  agreed.push(true)
  expect(await ended(galley, await calls.resumeTeamJoin({ keys: null }))).toEqual({ kind: 'done', result: { folder } })
  expect(await calls.openJoinedLibrary(undefined)).toMatchObject({ ok: true })
  expect(shown).toEqual(['relaunch'])
  // They are kept for the new member alone.
  expect(await kept.read(account)).toEqual({ ok: true, value: null })
  const member = await open(folder)
  expect(member.galley.index.materialList.count('acme')).toBe(1)
  expect(await member.calls.syncTeam(undefined)).toMatchObject({ syncState: { kind: 'current' } })
})

test('without stored keys it asks for them', async () => {
  const { calls, galley, agreed, kept, folder, account, open } = await anUnfinishedJoin()
  await kept.remove(account)
  expect(await calls.unfinishedJoin(undefined)).toMatchObject({ hasKeys: false })
  expect(await calls.resumeTeamJoin({ keys: null })).toMatchObject({ failure: { field: 'keyId' } })
  expect(await calls.resumeTeamJoin({ keys: { ...keys, secret: '' } })).toMatchObject({
    failure: { field: 'keySecret' },
  })
  agreed.push(true)
  expect(await ended(galley, await calls.resumeTeamJoin({ keys }))).toMatchObject({ kind: 'done' })
  const member = await open(folder)
  expect(await member.calls.syncTeam(undefined)).toMatchObject({ syncState: { kind: 'current' } })
})

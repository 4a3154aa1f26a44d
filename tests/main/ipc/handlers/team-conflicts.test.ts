import { join } from 'node:path'
import { expect, test } from 'vitest'

import type { TeamConflict } from '../../../../packages/library/views/team.ts'
import { materialsIn, versionIn } from '../../../support/records.ts'
import { temporaryFolder } from '../../../support/test-galley.ts'
import { ended, setUp, shared, tokenOf } from './team-fixture.ts'

const post = { site: 'acme', materialId: 'post-1' }
const material = materialsIn('acme', 'post-1')
const marked = versionIn('acme', 'post-1', 'v1')

/** Two members, and a bucket that is away while `isAway` says so. */
async function twoMembers() {
  const outage = { isAway: false }
  const at = await setUp({ mishap: () => (outage.isAway ? 'cut_before' : null) })
  const mine = await shared(at)
  const other = await at.open(join(await temporaryFolder(), 'other'))
  other.agreed.push(true)
  const folder = await temporaryFolder()
  const options = { ...at.form, folder: await tokenOf(other, folder) }
  expect(await ended(other.galley, await other.calls.startTeamJoin(options))).toMatchObject({ kind: 'done' })
  const theirs = await at.open(folder)
  await theirs.calls.syncTeam(undefined)
  const conflicts = async (): Promise<readonly TeamConflict[]> => (await mine.calls.teamConflicts(undefined)).conflicts
  return { outage, mine, theirs, conflicts }
}

test('changes that the team has made too are listed in words, and decided', async () => {
  const { outage, mine, theirs, conflicts } = await twoMembers()
  outage.isAway = true
  expect(await mine.calls.setFields({ ...material, set: { title: 'Mine', slug: 'slug' } })).toMatchObject({ ok: true })
  expect(
    await mine.calls.setFields({ ...marked, set: { note: 'my note', verdict: { decision: 'approved', reason: '' } } }),
  ).toMatchObject({ ok: true })
  await mine.calls.setFields({ ...material, set: { tags: { add: ['urgent'], remove: [] } } })
  outage.isAway = false
  await theirs.calls.setFields({ ...material, set: { title: 'Theirs', slug: 'slug' } })
  await theirs.calls.setFields({
    ...marked,
    set: { note: 'their note', verdict: { decision: 'changes_requested', reason: 'no' } },
  })
  // What both have done alike is no conflict.
  await theirs.calls.setFields({ ...material, set: { tags: { add: ['urgent'], remove: [] } } })
  expect(await mine.calls.syncTeam(undefined)).toMatchObject({ undecided: 3, waiting: 0 })
  // Until then, lists show the team's values.
  expect(await mine.calls.findMaterial(post)).toMatchObject({
    title: 'Theirs',
    tags: ['urgent'],
    status: 'changes_requested',
  })
  const [title, note, verdict] = await conflicts()
  expect(title).toMatchObject({
    site: { id: 'acme' },
    materialId: 'post-1',
    title: 'Theirs',
    version: null,
    field: 'title',
    tag: null,
    mine: 'Mine',
    theirs: { value: 'Theirs', at: null },
  })
  expect(note).toMatchObject({
    version: { id: 'v1', number: 1 },
    field: 'note',
    before: '',
    mine: 'my note',
    theirs: { value: 'their note' },
  })
  expect(verdict).toMatchObject({
    field: 'verdict',
    before: null,
    mine: { decision: 'approved', reason: '' },
    theirs: { value: { decision: 'changes_requested', reason: 'no' }, at: expect.stringMatching(/^2/) as string },
  })
  if (!title || !note || !verdict) throw new Error('A conflict is missing')

  mine.changes.length = 0
  expect(await mine.calls.decideTeamConflict({ id: title.id, take: 'mine' })).toEqual({ ok: true, value: null })
  expect(mine.changes).toContain('materials')
  expect(await mine.calls.findMaterial(post)).toMatchObject({ title: 'Mine' })
  await theirs.calls.syncTeam(undefined)
  expect(await theirs.calls.findMaterial(post)).toMatchObject({ title: 'Mine' })
  expect(await mine.calls.decideTeamConflict({ id: note.id, take: 'theirs' })).toMatchObject({ ok: true })
  expect(await mine.calls.readTeam(undefined)).toMatchObject({ undecided: 1, waiting: 0 })
  expect((await conflicts()).map(({ id }) => id)).toEqual([verdict.id])

  // Without the bucket, the decision is kept and the change waits again.
  outage.isAway = true
  expect(await mine.calls.decideTeamConflict({ id: verdict.id, take: 'mine' })).toMatchObject({ ok: true })
  expect(await mine.calls.readTeam(undefined)).toMatchObject({ undecided: 0, waiting: 1 })
  // It was decided already: what only waits is not dropped by a second answer.
  expect(await mine.calls.decideTeamConflict({ id: verdict.id, take: 'theirs' })).toMatchObject({
    failure: { code: 'team_refused', state: 'unknown_change' },
  })
  outage.isAway = false
  expect(await mine.calls.syncTeam(undefined)).toMatchObject({ waiting: 0, undecided: 0 })
  await theirs.calls.syncTeam(undefined)
  expect(await theirs.calls.queryVersions({ ...post, offset: 0, limit: 10 })).toMatchObject({
    rows: [{ note: 'their note', verdict: { decision: 'approved' } }],
  })
})

test('a change of a material that the team has deleted can only be discarded', async () => {
  const { outage, mine, theirs, conflicts } = await twoMembers()
  outage.isAway = true
  await mine.calls.setFields({ ...material, set: { archivedAt: '2026-11-03T00:00:00.000Z' } })
  outage.isAway = false
  theirs.agreed.push(true)
  const deleting = { site: 'acme', materialIds: ['post-1'], isDryRun: false }
  expect(await ended(theirs.galley, await theirs.calls.startMaterialDelete(deleting))).toMatchObject({ kind: 'done' })
  await mine.calls.syncTeam(undefined)
  const [gone] = await conflicts()
  expect(gone).toMatchObject({ title: null, materialId: 'post-1', field: 'archivedAt', mine: true, theirs: null })
  const id = gone?.id ?? 0
  expect(await mine.calls.decideTeamConflict({ id, take: 'mine' })).toMatchObject({
    failure: { code: 'team_refused', state: 'change_gone' },
  })
  expect(await mine.calls.decideTeamConflict({ id, take: 'theirs' })).toMatchObject({ ok: true })
  expect(await mine.calls.teamConflicts(undefined)).toEqual({ total: 0, conflicts: [] })
})

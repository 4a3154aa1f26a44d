import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { entriesIn } from '../../../../packages/library/secrets/folder-entries.ts'
import { entryKey } from '../../../../packages/library/team/keys.ts'
import type { TeamView } from '../../../../packages/library/views/team.ts'
import { materialsIn } from '../../../support/records.ts'
import type { Behaviour } from '../../../support/s3-server.ts'
import { aSave, temporaryFolder } from '../../../support/test-galley.ts'
import { ended, setUp, keys, shared, tokenOf } from './team-fixture.ts'

test('a library is shared, joined by another computer, and left with all its files', async () => {
  const at = await setUp()
  const { first, form, storage, secrets, open } = at
  expect(await first.calls.readTeam(undefined)).toBeNull()

  // Nothing is sent before a person has agreed to the address.
  expect(await first.calls.startTeamImport(form)).toMatchObject({ failure: { code: 'not_confirmed' } })
  expect(first.asked[0]?.detail).toContain(storage.url)
  expect(first.asked[0]?.detail).toContain('s3://team/library')
  expect(first.asked[0]?.detail).not.toContain(keys.secret)
  expect(storage.objects.size).toBe(0)
  const second = await shared(at)
  expect(first.shown).toContain('reopen')
  expect(await second.calls.readTeam(undefined)).toMatchObject({ bucket: 'team', prefix: 'library', isReadOnly: false })
  expect(JSON.stringify(await second.calls.readTeam(undefined))).not.toContain(keys.secret)

  const other = await open(join(await temporaryFolder(), 'other'))
  const folder = join(await temporaryFolder(), 'member')
  await writeFile(join(folder, '..', 'beside.txt'), 'x')
  expect(await other.calls.startTeamJoin({ ...form, folder: null })).toMatchObject({ failure: { field: 'folder' } })
  expect(await other.calls.startTeamJoin({ ...form, folder: 'invented' })).toMatchObject({
    failure: { field: 'folder' },
  })
  const full = await tokenOf(other, join(folder, '..'))
  expect(await other.calls.startTeamJoin({ ...form, folder: full })).toMatchObject({
    failure: { code: 'folder_not_empty', field: 'folder' },
  })
  const itself = await tokenOf(other, other.galley.folder)
  expect(await other.calls.startTeamJoin({ ...form, folder: itself })).toMatchObject({
    failure: { code: 'team_refused', state: 'library_in_use' },
  })
  await mkdir(folder)
  const options = { ...form, folder: await tokenOf(other, folder) }
  expect(await other.calls.startTeamJoin(options)).toMatchObject({ failure: { code: 'not_confirmed' } })
  expect(await readdir(folder)).toEqual([])
  expect(await other.calls.openJoinedLibrary(undefined)).toMatchObject({ failure: { code: 'unknown_task' } })
  other.agreed.push(true)
  expect(await ended(other.galley, await other.calls.startTeamJoin(options))).toEqual({
    kind: 'done',
    result: { folder },
  })
  expect(await other.calls.openJoinedLibrary(undefined)).toMatchObject({ ok: true })
  expect(other.shown).toEqual(['relaunch'])

  const member = await open(folder)
  expect(member.galley.index.materialList.count('acme')).toBe(1)
  const seen: (TeamView | null)[] = []
  const unwatch = member.galley.teamState.watch((view) => seen.push(view))
  expect(await member.calls.syncTeam(undefined)).toMatchObject({ syncState: { kind: 'current' }, waiting: 0 })
  unwatch()
  expect(seen.map((view) => view?.syncState.kind)).toContain('current')
  // What one changes, the other one sees.
  const renamed = { ...materialsIn('acme', 'post-1'), set: { title: 'Another title', slug: 'another' } }
  expect(await member.calls.setFields(renamed)).toMatchObject({ ok: true })
  await second.calls.syncTeam(undefined)
  expect(second.galley.index.materialList.find('acme', 'post-1')?.title).toBe('Another title')

  expect(await member.calls.startTeamLeave({ fetchAll: true })).toEqual({ ok: true, value: null })
  expect(member.asked.at(-1)?.detail).toContain('fetches every file')
  member.agreed.push(true)
  expect(await ended(member.galley, await member.calls.startTeamLeave({ fetchAll: true }))).toEqual({
    kind: 'done',
    result: { filesMissing: 0 },
  })
  await expect.poll(() => member.shown).toContain('reopen')
  await member.close()
  const alone = await open(folder)
  expect(await alone.calls.readTeam(undefined)).toBeNull()
  // Of the one that stayed, the keychain still has the keys.
  const account = (window: typeof member): string => `team-keys@${window.galley.team?.membership.member}`
  expect(await entriesIn(secrets, folder).read(account(member))).toEqual({ ok: true, value: null })
  expect(await secrets.read(account(second))).toEqual({ ok: true, value: `${keys.id}\n${keys.secret}` })
})

test('says what is wrong with a place, with keys and with a bucket, and changes nothing', async () => {
  const behaviour = { ignoresCondition: true }
  const { first, form, place, open } = await setUp(behaviour)
  const { calls, agreed, galley } = first
  for (const [field, over] of [
    ['bucket', { bucket: 'no bucket' }],
    ['prefix', { prefix: '/x' }],
    ['endpoint', { endpoint: 'ftp://x' }],
    ['region', { region: 'a b' }],
  ] as const)
    expect(await calls.startTeamImport({ ...form, place: { ...place, ...over } })).toMatchObject({
      failure: { field },
    })
  expect(await calls.startTeamImport({ place, keys: { ...keys, id: '' } })).toMatchObject({
    failure: { field: 'keyId' },
  })
  expect(await calls.startTeamImport({ place, keys: { ...keys, secret: 'a b' } })).toMatchObject({
    failure: { field: 'keySecret' },
  })
  agreed.push(true)
  expect(await ended(galley, await calls.startTeamImport(form))).toMatchObject({
    kind: 'failed',
    problem: { code: 'team_failed', state: 'import', reason: { code: 'bucket_unsuitable' } },
  })
  // It receives saves again.
  expect(galley.listener.state().kind).toBe('listening')
  behaviour.ignoresCondition = false
  const other = await open(join(await temporaryFolder(), 'other'))
  other.agreed.push(true, true)
  const folder = await tokenOf(other, await temporaryFolder())
  expect(await ended(other.galley, await other.calls.startTeamJoin({ ...form, folder }))).toMatchObject({
    problem: { code: 'team_refused', state: 'no_team_library' },
  })
  const away = { ...place, bucket: 'elsewhere' }
  expect(await ended(other.galley, await other.calls.startTeamJoin({ place: away, keys, folder }))).toMatchObject({
    problem: { code: 'team_failed', state: 'join', reason: { code: 'bucket_missing' } },
  })
})

test('reports its state while the bucket cannot be reached, and why a change is not saved', async () => {
  const outage = { mishap: null as ReturnType<NonNullable<Behaviour['mishap']>> }
  const at = await setUp({ mishap: () => outage.mishap })
  const member = await shared(at)
  const { calls, galley } = member
  await calls.syncTeam(undefined)
  expect((await calls.openProblems(undefined)).urgency).toBeNull()
  outage.mishap = 'cut_before'
  expect(await calls.syncTeam(undefined)).toMatchObject({
    syncState: { kind: 'offline', why: { code: 'bucket_away' } },
  })
  expect((await calls.openProblems(undefined)).urgency).toBe('warning')
  expect((await calls.readHealth(undefined)).team).toMatchObject({ syncState: { kind: 'offline' } })
  // A pause is for the whole team, so it does not wait for the bucket.
  const pausing = { site: 'acme', reason: 'frozen' }
  expect(await calls.pauseSaves(pausing)).toMatchObject({
    failure: { code: 'team_failed', state: 'write', reason: { code: 'bucket_away' } },
  })

  // Keys that were taken back.
  outage.mishap = 'status_403'
  expect(await calls.syncTeam(undefined)).toMatchObject({
    syncState: { kind: 'stopped', why: { code: 'bucket_denied' } },
  })
  expect((await calls.openProblems(undefined)).urgency).toBe('danger')
  expect(await calls.pauseSaves(pausing)).toMatchObject({
    failure: { code: 'team_failed', state: 'write', reason: { code: 'bucket_denied' } },
  })
  expect(await calls.changeTeamKeys({ id: 'OTHER', secret: 'other' })).toMatchObject({
    failure: { code: 'team_failed', state: 'keys' },
  })
  outage.mishap = null
  const { position } = galley.index.commit.mark()
  const key = `library/${entryKey(position + 1)}`
  at.storage.objects.set(key, Buffer.from('hello\n'))
  expect(await calls.syncTeam(undefined)).toMatchObject({
    syncState: { kind: 'stopped', why: { code: 'log_foreign' } },
  })
  at.storage.objects.delete(key)
  expect(await calls.syncTeam(undefined)).toMatchObject({ syncState: { kind: 'current' } })
  expect(await calls.changeTeamKeys({ id: 'OTHER', secret: 'other' })).toMatchObject({ ok: true })
  await expect.poll(() => member.shown).toContain('reopen')
  expect(await at.secrets.read(`team-keys@${galley.team?.membership.member}`)).toEqual({
    ok: true,
    value: 'OTHER\nother',
  })
})

test('a join and an import that are cancelled end soon, and leave what was there', async () => {
  const outage = { isSilent: false }
  // The probe gives up by itself; what follows it goes on trying.
  const at = await setUp({ mishap: (_, key) => (outage.isSilent && !key.includes('probe/') ? 'cut_before' : null) })
  const { first, form, open } = at
  outage.isSilent = true
  first.agreed.push(true)
  const started = await first.calls.startTeamImport(form)
  const other = await open(join(await temporaryFolder(), 'other'))
  other.agreed.push(true)
  const folder = await temporaryFolder()
  const joining = await other.calls.startTeamJoin({ ...form, folder: await tokenOf(other, folder) })
  for (const [{ galley, calls }, task] of [
    [first, started],
    [other, joining],
  ] as const) {
    if (!task.ok) throw new Error(task.failure.code)
    const { task: id } = task.value
    await calls.cancelTask({ id })
    const from = performance.now()
    expect(await ended(galley, task)).toEqual({ kind: 'cancelled' })
    // A step that is not cancelled is tried again for 30 seconds.
    expect(performance.now() - from).toBeLessThan(28_000)
  }
  expect(first.galley.listener.state().kind).toBe('listening')
  expect(first.galley.team).toBeNull()
  expect(await readdir(folder)).not.toContain('team.json')
})

test('a save that arrives while files are shared is stored, answered once, and shared too', async () => {
  const arriving: { answer: ReturnType<typeof at.first.post> | null } = { answer: null }
  const at = await setUp({
    // The upload of the first file waits for the answer.
    async hold(method, key) {
      if (method !== 'PUT' || !key.includes('/files/')) return
      const { body, headers } = aSave(at.first.service, { materialId: 'post-1', versionId: 'v2' })
      arriving.answer ??= at.first.post(body, headers)
      await arriving.answer
    },
  })
  const { first, open } = at
  const member = await shared(at)
  expect((await arriving.answer)?.json.rc).toBe(1)
  expect(member.galley.index.versions.list('acme', 'post-1')).toHaveLength(2)
  const other = await open(join(await temporaryFolder(), 'other'))
  other.agreed.push(true)
  const folder = await temporaryFolder()
  const options = { ...at.form, folder: await tokenOf(other, folder) }
  expect(await ended(other.galley, await other.calls.startTeamJoin(options))).toMatchObject({ kind: 'done' })
  const joined = await open(folder)
  const [newest] = joined.galley.index.versions.list('acme', 'post-1')
  expect(newest?.versionId).toBe('v2')
  for (const { file } of joined.galley.index.blobs.files()) await joined.galley.vault.ensureLocal(file)
  // The listener was stopped only at the end, and does not write to the library that is the team's now.
  expect(first.galley.listener.state().kind).toBe('stopped')
})

test('nothing is written here while the log is on its way to the bucket', async () => {
  const outage = { isAway: true }
  let tries = 0
  // The first entry reserves the place before anything else is sent.
  const isEntry = (method: string, key: string): boolean => method === 'PUT' && /\/log\/0*[2-9]\.jsonl$/.test(key)
  const at = await setUp({
    mishap(method, key) {
      if (!isEntry(method, key)) return null
      tries += 1
      return outage.isAway ? 'status_503' : null
    },
  })
  const { first, form, open } = at
  first.agreed.push(true)
  const started = await first.calls.startTeamImport(form)
  await expect.poll(() => tries).toBeGreaterThan(0)
  const change = { ...materialsIn('acme', 'post-1'), set: { title: 'In between', slug: 'between' } }
  expect(await first.calls.setFields(change)).toMatchObject({
    failure: { code: 'team_failed', reason: { code: 'team_importing' } },
  })
  outage.isAway = false
  expect(await ended(first.galley, started)).toMatchObject({ kind: 'done' })
  expect(await first.calls.setFields(change)).toMatchObject({
    failure: { reason: { code: 'team_joined' } },
  })
  await first.close()
  const member = await open(first.folder)
  expect(await member.calls.setFields(change)).toMatchObject({ ok: true })
})

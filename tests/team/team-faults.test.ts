import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

import { entryKey } from '../../packages/library/team/keys.ts'
import { startListen } from '../cli/support/cli.ts'
import { send } from '../support/delivery.ts'
import { aTeam, aTeamWithOutage, joinedAfterSave } from '../support/team.ts'

it('refuses a storage that ignores the condition, and does not change the library', async () => {
  const team = await aTeam({ ignoresCondition: true })
  const folder = await team.newFolder()
  for (const refused of [await team.import(), await team.create(folder), await team.join(folder)]) {
    expect([refused.code, refused.failure()]).toEqual([
      1,
      {
        code: 'bucket_unsuitable',
        message:
          'The command could not finish: the bucket cannot hold a team library: it accepted 2 of 2 requests to create the same object, and must accept exactly one. Use a storage with conditional writes, and a bucket without versioning. Nothing was lost.',
      },
    ])
  }
  expect([...team.objects.keys()]).toEqual([])
  expect((await team.run(folder, 'team', 'status')).failure().code).toBe('not_a_member')
  expect((await team.run(team.library, 'site', 'list')).json()).toHaveLength(1)
})

it('tests the bucket again when a listener starts', async () => {
  const behaviour = { ignoresCondition: false }
  const team = await aTeam(behaviour)
  expect((await team.import()).code).toBe(0)
  behaviour.ignoresCondition = true
  const refused = await team.run(team.library, 'listen', '--port', '0')
  expect(refused.failure().code).toBe('bucket_unsuitable')
})

it('tests the bucket until a weak link lets a test end', async () => {
  const link = { isWeak: false, broken: 0, whole: 0 }
  const team = await aTeam({
    mishap(method, key) {
      if (method !== 'PUT' || !key.includes('probe/')) return null
      link[link.isWeak ? 'broken' : 'whole'] += 1
      return link.isWeak ? 'cut_before' : null
    },
  })
  expect((await team.import()).code).toBe(0)
  Object.assign(link, { isWeak: true, whole: 0 })
  const listener = await startListen(team.library, team.environment)
  await expect.poll(() => link.broken).toBeGreaterThan(0)
  link.isWeak = false
  // A member at work follows its team more often.
  const { body, headers } = team.save({ materialId: 'post-1', versionId: 'v1' })
  const type = { 'content-type': 'application/json' }
  expect((await send(`${listener.url}/callback/acme`, 'POST', body, { ...type, ...headers })).json.rc).toBe(1)
  // Two races: of two and of twenty.
  await expect.poll(() => link.whole).toBe(22)
})

it('names the problem of a join, and changes nothing', async () => {
  const team = await aTeam()
  const folder = await team.newFolder()
  expect((await team.join(folder)).failure().code).toBe('no_team_library')
  expect((await team.join(team.library)).failure().code).toBe('library_not_empty')
  expect((await team.run(team.library, 'team', 'status')).failure().code).toBe('not_a_member')
  for (const place of ['team/library', 's3://team/../library', 's3://team/a/./b'])
    expect((await team.run(folder, 'team', 'join', place, ...team.at.slice(1))).code, place).toBe(2)
  expect((await team.import()).code).toBe(0)
  expect((await team.import()).failure().code).toBe('already_member')
  // Another library cannot replace the team's.
  expect((await team.create(folder)).failure().code).toBe('bucket_in_use')
  expect((await team.join(folder)).code).toBe(0)
})

it('refuses settings that name a local folder, and operations that a shared log does not allow', async () => {
  const team = await aTeam()
  const target = ['target', 'add', 'acme', 'shelf', 'folder:/srv/www'] as const
  expect((await team.run(team.library, ...target)).code).toBe(0)
  expect((await team.import()).failure().code).toBe('folder_target')
  await team.run(team.library, 'target', 'remove', 'acme', 'shelf')
  expect((await team.import()).code).toBe(0)
  expect((await team.run(team.library, ...target)).code).toBe(2)
  expect((await team.run(team.library, 'site', 'add', 'acme', '--publish', 'folder:/srv/www')).code).toBe(2)
  expect((await team.run(team.library, 'rebuild', '--from', 'index')).failure()).toMatchObject({
    code: 'team_unsupported',
    message: expect.stringContaining('galley rebuild --from log') as string,
  })
})

it('reads while the bucket cannot be reached, refuses saves with rc 0, and continues once it can be reached', async () => {
  const team = await aTeamWithOutage()
  expect((await team.import()).code).toBe(0)
  const member = await team.listen()
  expect((await member.deliver(team.save({ materialId: 'post-1', versionId: 'v1' }))).json.rc).toBe(1)
  team.outage.isAway = true
  const status = await team.run(team.library, 'team', 'status')
  expect(status.code).toBe(0)
  expect(status.json()).toMatchObject({ behind: null, offline: expect.stringContaining('bucket') as string })
  expect((await team.run(team.library, 'versions', 'acme', 'post-1')).json()).toHaveLength(1)
  const paused = await team.run(team.library, 'site', 'add', 'acme', '--name', 'Other')
  expect(paused.failure().code).toBe('storage_failed')
  const late = team.save({ materialId: 'post-1', versionId: 'v2' })
  const refused = await member.deliver(late)
  expect(refused).toMatchObject({ status: 500, json: { rc: 0, code: 'storage_failed' } })
  expect(member.galley.index.versions.list('acme', 'post-1')).toHaveLength(1)
  team.outage.isAway = false
  expect((await member.deliver(late)).json.rc).toBe(1)
  expect(member.galley.index.versions.list('acme', 'post-1')).toHaveLength(2)
})

it('checks what it has while the bucket cannot be reached, although it has not read all pages for the search', async () => {
  const team = await aTeamWithOutage()
  const other = await joinedAfterSave(team)
  team.outage.isAway = true
  const checked = await team.run(other, 'fsck')
  expect([checked.code, checked.json()], checked.stderr).toMatchObject([0, { ok: true, findings: [] }])
})

it('stops before an object that it cannot take for the next entry, and names it', async () => {
  const team = await aTeam()
  expect((await team.import()).code).toBe(0)
  const { position } = (await team.run(team.library, 'team', 'status')).json() as { position: number }
  const next = position + 1
  const own = team.objects.get(`library/${entryKey(position)}`) ?? Buffer.alloc(0)
  const key = `library/${entryKey(next)}`
  const line = (format: number, previous: string): Buffer =>
    lineOf(JSON.stringify({ galley: format, position: next, previous, changes: [] }))
  const cases: [object: Buffer, code: string, sentence: RegExp][] = [
    [
      Buffer.from('hello\n'),
      'library_damaged',
      /^Galley did not write \S+ .* at position \d+ or higher.*fsck --repair.*delete that object$/,
    ],
    [own, 'library_damaged', /^Galley did not write \S+ .*delete that object$/],
    [own.subarray(0, -1), 'library_damaged', /^the object \S+ in the bucket .* is damaged.*fsck --repair/],
    [line(99, '0'.repeat(64)), 'newer_library', /^a newer Galley wrote \S+ .*Update Galley/],
    [line(1, '0'.repeat(64)), 'log_mismatch', /is not the log of this library from \S+ on/],
  ]
  for (const [object, code, sentence] of cases) {
    team.objects.set(key, object)
    const { offline } = (await team.run(team.library, 'team', 'status')).json() as { offline: string }
    expect(offline).toMatch(sentence)
    expect(offline).toContain(entryKey(next))
    const refused = await team.run(team.library, 'site', 'add', 'acme', '--name', 'Other')
    expect(refused.failure()).toMatchObject({ code, message: expect.stringContaining(offline) as string })
    const checked = await team.run(team.library, 'fsck')
    const detail = offline.charAt(0).toUpperCase() + offline.slice(1)
    expect([checked.code, checked.json()]).toMatchObject([1, { findings: [{ detail, fixable: false }] }])
  }
  team.objects.delete(key)
  expect((await team.run(team.library, 'site', 'add', 'acme', '--name', 'Other')).code).toBe(0)
})

it('does not count objects of others among the entries that a member is behind', async () => {
  const team = await aTeam()
  expect((await team.import()).code).toBe(0)
  for (const name of ['log/', 'log/readme', 'log/00000000000000000009.jsonl.bak', 'files/readme', 'checkpoints/readme'])
    team.objects.set(`library/${name}`, Buffer.from('hello'))
  expect((await team.run(team.library, 'team', 'status')).json()).toMatchObject({ behind: 0, offline: null })
})

it('never returns bytes that do not match the hash of the file', async () => {
  const team = await aTeam()
  const before = await team.listen()
  expect((await before.deliver(team.save({ materialId: 'post-1', versionId: 'v1' }))).json.rc).toBe(1)
  await before.close()
  expect((await team.import()).code).toBe(0)
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  const whole = new Map(team.objects)
  for (const [key, bytes] of whole)
    if (key.includes('/files/')) team.objects.set(key, Buffer.concat([bytes, Buffer.from('x')]))
  const show = ['show', 'version', 'acme', 'post-1', 'v1', '--html'] as const
  const altered = await team.run(folder, ...show)
  expect(altered.failure()).toMatchObject({ code: 'storage_failed' })
  expect(altered.failure().message).toContain('is damaged in the bucket of the team. Run galley fsck --repair')
  for (const key of whole.keys()) if (key.includes('/files/')) team.objects.delete(key)
  expect((await team.run(folder, ...show)).failure().message).toContain('has lost the file')
  for (const [key, bytes] of whole) team.objects.set(key, bytes)
  expect((await team.run(folder, ...show)).code).toBe(0)
})

it('continues an interrupted import or join', async () => {
  let puts = 0
  let allowed = Number.POSITIVE_INFINITY
  const team = await aTeam({ mishap: (method) => (method === 'PUT' && (puts += 1) > allowed ? 'status_403' : null) })
  onTestFinished(() => void (allowed = 0))
  const before = await team.listen()
  for (const versionId of ['v1', 'v2', 'v3']) await before.deliver(team.save({ materialId: 'post-1', versionId }))
  await before.close()
  // Stops between two entries.
  allowed = 30
  const cut = await team.import()
  expect(cut.failure().code).toBe('storage_failed')
  expect((await team.run(team.library, 'team', 'status')).failure().code).toBe('not_a_member')
  expect((await team.join(await team.newFolder())).code).toBe(1)
  allowed = Number.POSITIVE_INFINITY
  expect((await team.import()).code).toBe(0)
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  expect((await team.run(folder, 'versions', 'acme', 'post-1')).json()).toHaveLength(3)
})

/** A line of the log around an entry that this Galley would not write. */
function lineOf(entry: string): Buffer {
  const hash = createHash('sha256').update(entry).digest('hex')
  const around = (length: string): string => `{"length":"${length}","sha256":"${hash}","entry":${entry}}\n`
  return Buffer.from(around(String(around('0000000000').length).padStart(10, '0')))
}

it('replaces damaged copies of files by those in the bucket', async () => {
  const team = await aTeam()
  const before = await team.listen()
  expect((await before.deliver(team.save({ materialId: 'post-1', versionId: 'v1' }))).json.rc).toBe(1)
  await before.close()
  expect((await team.import()).code).toBe(0)
  const entries = () => [...team.objects.keys()].filter((key) => key.includes('/log/')).length
  const count = entries()
  const folder = join(team.library, 'files')
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
  for (const { parentPath, name } of files) await writeFile(join(parentPath, name), 'damaged')
  const found = (await team.run(team.library, 'fsck')).json() as { readonly findings: readonly { fixable: boolean }[] }
  expect(found.findings.map(({ fixable }) => fixable)).toEqual(files.map(() => true))
  const repaired = await team.run(team.library, 'fsck', '--repair')
  expect([repaired.code, repaired.json()]).toMatchObject([0, { ok: true }])
  expect((await team.run(team.library, 'fsck')).json()).toMatchObject({ ok: true, findings: [] })
  // One computer's damage is nothing that the team has to know.
  expect(entries()).toBe(count)
})

it('repairs a damaged copy of the log, and says that nothing is lost', async () => {
  const team = await aTeam()
  expect((await team.import()).code).toBe(0)
  for (const name of ['Other', 'Third'])
    expect((await team.run(team.library, 'site', 'add', 'acme', '--name', name)).code).toBe(0)
  const folder = join(team.library, 'log')
  const file = join(folder, (await readdir(folder)).toSorted().at(-1) ?? '')
  const log = await readFile(file, 'latin1')
  await writeFile(file, log.replace('"Other"', '"Otter"'), 'latin1')
  const found = await team.run(team.library, 'fsck')
  const { findings } = found.json() as { readonly findings: readonly unknown[] }
  expect([found.code, findings[0]]).toMatchObject([1, { kind: 'log_damaged', fixable: true }])
  expect((await team.run(team.library, 'fsck', '--repair')).code).toBe(1)
  const repaired = await team.run(team.library, 'fsck')
  expect([repaired.code, repaired.json()]).toMatchObject([0, { findings: [] }])
  expect(repaired.stderr).toContain('No save is lost: the bucket of the team has every entry')
  const sites = (await team.run(team.library, 'site', 'list')).json()
  expect(sites).toMatchObject([{ name: 'Third' }])
})

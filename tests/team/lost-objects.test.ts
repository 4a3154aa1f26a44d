import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { entryKey } from '../../packages/library/team/keys.ts'
import type { Ran } from '../support/galley-process.ts'
import { aTeam, joinedAfterSave } from '../support/team.ts'

// A team's bucket with deleted objects, or restored to an older state.

const materialsOf = (ran: Ran) => (ran.json() as { readonly material_id: string }[]).map((each) => each.material_id)

it('writes nothing behind entries that the bucket has lost, because no other member would read it', async () => {
  const team = await aTeam()
  expect((await team.import()).code).toBe(0)
  const other = await team.newFolder()
  expect((await team.join(other)).code).toBe(0)
  const member = await team.listen()
  const deliver = (materialId: string) => member.deliver(team.save({ materialId, versionId: materialId }))
  expect((await deliver('kept')).json.rc).toBe(1)
  const older = new Map(team.objects)
  expect((await deliver('lost')).json.rc).toBe(1)
  const whole = new Map(team.objects)
  const putBack = (objects: ReadonlyMap<string, Buffer>): void => {
    team.objects.clear()
    for (const [key, bytes] of objects) team.objects.set(key, bytes)
  }
  const entries = () => [...team.objects.keys()].filter((key) => key.includes('/log/')).toSorted()

  putBack(older)
  expect(await deliver('refused')).toMatchObject({ status: 500, json: { code: 'storage_failed' } })
  const refused = await team.run(team.library, 'site', 'add', 'acme', '--name', 'Other')
  expect([refused.code, refused.failure().code]).toEqual([1, 'log_mismatch'])
  expect((await team.run(team.library, 'team', 'status')).json()).toMatchObject({
    behind: null,
    offline: expect.stringContaining('has lost entries of the log') as string,
  })
  expect(entries()).toEqual([...older.keys()].filter((key) => key.includes('/log/')).toSorted())

  putBack(whole)
  expect((await deliver('refused')).json.rc).toBe(1)
  await member.close()
  expect(materialsOf(await team.run(other, 'materials', 'acme')).toSorted()).toEqual(['kept', 'lost', 'refused'])

  // The computer with the most saves puts them back, as the message says.
  const latest = new Map(team.objects)
  putBack(older)
  const checked = await team.run(team.library, 'fsck')
  expect([checked.code, (checked.json() as { findings: object[] }).findings[0]]).toMatchObject([
    1,
    {
      kind: 'log_damaged',
      detail: expect.stringMatching(/^Entries \d+ to \d+ of the log are missing in the bucket/) as string,
    },
  ])
  expect((await team.run(team.library, 'fsck', '--repair')).code).toBe(0)
  const kept = (objects: ReadonlyMap<string, Buffer>) =>
    new Map([...objects].filter(([key]) => /\/(?:log|files)\//.test(key)))
  expect(kept(team.objects)).toEqual(kept(latest))
  expect((await team.run(team.library, 'fsck')).code).toBe(0)
})

it.each([
  ['a lost one, before others that are lost', ['One', 'Two']],
  ['the last one', ['One']],
])('puts nothing back behind an entry that another member has written in place of %s', async (_, names) => {
  const team = await aTeam()
  expect((await team.import()).code).toBe(0)
  const other = await team.newFolder()
  expect((await team.join(other)).code).toBe(0)
  const older = new Map(team.objects)
  const rename = (folder: string, name: string) => team.run(folder, 'site', 'add', 'acme', '--name', name)
  for (const name of names) expect((await rename(team.library, name)).code).toBe(0)
  team.objects.clear()
  for (const [key, bytes] of older) team.objects.set(key, bytes)
  expect((await rename(other, 'Three')).code).toBe(0)
  const forked = new Map(team.objects)
  const repaired = await team.run(team.library, 'fsck', '--repair')
  expect([repaired.code, repaired.json()]).toMatchObject([1, { findings: [{ kind: 'log_damaged', fixable: false }] }])
  expect((await rename(team.library, 'Four')).failure().code).toBe('log_mismatch')
  expect(new Map(team.objects)).toEqual(forked)
})

it('sends files that the bucket has lost, from a computer that has them, and says which it cannot send', async () => {
  const team = await aTeam()
  const other = await joinedAfterSave(team)
  const files = [...team.objects].filter(([key]) => key.includes('/files/'))
  for (const [key] of files) team.objects.delete(key)
  const without = await team.run(other, 'fsck', '--repair')
  expect([without.code, (without.json() as { findings: object[] }).findings]).toEqual([
    1,
    files.map(() => expect.objectContaining({ kind: 'file_missing', fixable: false, fixed: false }) as object),
  ])
  const found = await team.run(team.library, 'fsck')
  expect([found.code, (found.json() as { findings: object[] }).findings]).toEqual([
    1,
    files.map(
      () =>
        expect.objectContaining({
          detail: expect.stringContaining('is missing in the bucket of the team') as string,
          fixable: true,
        }) as object,
    ),
  ])
  expect((await team.run(team.library, 'fsck', '--repair')).code).toBe(0)
  expect(new Map([...team.objects].filter(([key]) => key.includes('/files/')))).toEqual(new Map(files))
  expect((await team.run(other, 'fsck')).code).toBe(0)
})

it('finds and mends damaged files, a damaged entry and a lost library.json', async () => {
  const team = await aTeam()
  expect((await team.import()).code).toBe(0)
  const member = await team.listen()
  for (const materialId of ['post-1', 'post-2'])
    expect((await member.deliver(team.save({ materialId, versionId: materialId }))).json.rc).toBe(1)
  await member.close()
  const other = await team.newFolder()
  expect((await team.join(other)).code).toBe(0)
  const kept = () => new Map([...team.objects].filter(([key]) => !key.includes('/checkpoints/')))
  const whole = kept()
  const { position } = (await team.run(team.library, 'team', 'status')).json() as { position: number }
  const cut = `library/${entryKey(position - 1)}`
  team.objects.set(cut, team.objects.get(cut)?.subarray(0, 400) ?? Buffer.alloc(0))
  const files = [...whole.keys()].filter((key) => key.includes('/files/'))
  for (const key of files) team.objects.set(key, team.objects.get(key)?.subarray(0, 50) ?? Buffer.alloc(0))
  team.objects.delete('library/library.json')
  const details = async (folder: string, ...args: string[]) => {
    const ran = await team.run(folder, 'fsck', ...args)
    const { findings } = ran.json() as { findings: { detail: string; fixable: boolean }[] }
    return { code: ran.code, findings: findings.map(({ detail, fixable }) => [fixable, detail]) }
  }
  const marker = [true, expect.stringContaining('library.json is missing in the bucket of the team')]
  const entry = `Entry ${position - 1} of the log is damaged in the bucket of the team`
  const changed = expect.stringContaining('differs in the bucket of the team from what was saved') as string
  // It began with a checkpoint and lacks the entry before.
  expect(await details(other)).toEqual({ code: 1, findings: [marker, [false, entry]] })
  expect(await details(team.library)).toEqual({
    code: 1,
    findings: [marker, [true, entry], ...files.map(() => [true, changed])],
  })
  expect((await details(team.library, '--repair')).code).toBe(0)
  expect(kept()).toEqual(whole)
  expect(await details(other)).toEqual({ code: 0, findings: [] })
})

it.each([['MD5 hashes'], ['other hashes']])(
  'finds and mends entries of the same size with other bytes in a bucket whose ETags are %s',
  async (hashes) => {
    const team = await aTeam({ encrypts: hashes === 'other hashes' })
    expect((await team.import()).code).toBe(0)
    for (const name of Array.from({ length: 20 }, (_, at) => `Name ${at}`))
      expect((await team.run(team.library, 'site', 'add', 'acme', '--name', name)).code).toBe(0)
    const whole = new Map(team.objects)
    const entries = [...whole.keys()].filter((key) => key.includes('/log/'))
    const damaged = [...entries.slice(0, 2), ...entries.slice(-2)]
    for (const key of damaged) {
      const bytes = Buffer.from(whole.get(key) ?? [])
      bytes[bytes.length - 5] = (bytes.at(-5) ?? 0) ^ 1
      team.objects.set(key, bytes)
    }
    const checked = await team.run(team.library, 'fsck')
    const finding = { kind: 'log_damaged', fixable: true }
    expect([checked.code, checked.json()]).toMatchObject([1, { findings: [finding, finding] }])
    expect((await team.run(team.library, 'fsck', '--repair')).code).toBe(0)
    expect(new Map([...team.objects].filter(([key]) => whole.has(key)))).toEqual(whole)
    expect((await team.run(team.library, 'fsck')).json()).toMatchObject({ ok: true })
  },
)

it('sends no file that another member has dropped since the repair has begun', async () => {
  const sending = new Set<string>()
  let onFirst: ((key: string) => Promise<void>) | null = null
  const team = await aTeam({
    async hold(method, key) {
      if (method !== 'PUT' || !key.includes('/files/')) return
      sending.add(key)
      const first = onFirst
      onFirst = null
      await first?.(key)
    },
  })
  expect((await team.import()).code).toBe(0)
  const member = await team.listen()
  for (const materialId of ['post-1', 'post-2'])
    expect((await member.deliver(team.save({ materialId, versionId: materialId }))).json.rc).toBe(1)
  await member.close()
  const other = await team.newFolder()
  expect((await team.join(other)).code).toBe(0)
  for (const key of team.objects.keys()) if (key.includes('/files/')) team.objects.delete(key)
  const { findings } = (await team.run(team.library, 'fsck')).json() as {
    readonly findings: readonly {
      readonly file: string
      readonly used_by: readonly { readonly material_id: string }[]
    }[]
  }
  const materialOf = new Map(findings.map(({ file, used_by: [use] }) => [`library/files/${file}`, use?.material_id]))
  sending.clear()
  onFirst = async (key) => {
    const dropped = materialOf.get(key) === 'post-1' ? 'post-2' : 'post-1'
    expect((await team.run(other, 'material', 'delete', 'acme', dropped)).code).toBe(0)
    for (const [lost, material] of materialOf) if (material === dropped) materialOf.delete(lost)
  }
  expect((await team.run(team.library, 'fsck', '--repair')).code).toBe(0)
  expect(sending).toEqual(new Set(materialOf.keys()))
})

it('does not take the place of an entry that was deleted for the end of the log', async () => {
  const team = await aTeam()
  expect((await team.import()).code).toBe(0)
  const { position } = (await team.run(team.library, 'team', 'status')).json() as { position: number }
  const behind = await team.newFolder()
  expect((await team.join(behind)).code).toBe(0)
  for (const name of ['One', 'Two', 'Three'])
    expect((await team.run(team.library, 'site', 'add', 'acme', '--name', name)).code).toBe(0)
  const key = `library/${entryKey(position + 2)}`
  const entry = team.objects.get(key) ?? Buffer.alloc(0)
  team.objects.delete(key)
  const refused = await team.run(behind, 'site', 'add', 'acme', '--name', 'Other')
  expect([refused.code, refused.failure().code]).toEqual([1, 'log_mismatch'])
  expect((await team.join(await team.newFolder())).failure().code).toBe('log_mismatch')
  expect(team.objects.has(key)).toBe(false)
  team.objects.set(key, entry)
  expect((await team.run(behind, 'site', 'add', 'acme', '--name', 'Other')).code).toBe(0)
})

it.each<[string, (text: string) => string, string?]>([
  ['is empty', () => ''],
  ['has a number for its endpoint', (text) => text.replace(/"endpoint":"[^"]*"/, '"endpoint":7')],
  ['has a number for its probe', (text) => text.replace(/"rounds":\[[^\]]*\]/, '"rounds":7')],
  ['is of a newer Galley', (text) => text.replace('"galley":1', '"galley":2'), 'newer_library'],
])('stops before a team.json that %s, and changes nothing', async (_, alter, code = 'library_damaged') => {
  const team = await aTeam()
  expect((await team.import()).code).toBe(0)
  const file = join(team.library, 'team.json')
  const whole = await readFile(file, 'utf8')
  await writeFile(file, alter(whole))
  for (const args of [
    ['site', 'list'],
    ['team', 'status'],
    ['listen', '--port', '0'],
    ['team', 'leave'],
  ])
    expect([args, (await team.run(team.library, ...args)).failure().code]).toEqual([args, code])
  await writeFile(file, whole)
  expect((await team.run(team.library, 'fsck')).code).toBe(0)
})

it('reads the files that only the bucket has when asked to, and keeps none', async () => {
  const team = await aTeam()
  const other = await joinedAfterSave(team)
  const files = [...team.objects].filter(([key]) => key.includes('/files/'))
  const all = files.length
  const [[key, bytes] = ['', Buffer.alloc(0)]] = files
  team.objects.set(key, Buffer.from(bytes.map((byte) => byte ^ 1)))
  expect((await team.run(other, 'fsck')).json()).toMatchObject({ ok: true, bucket: { by_size: all, fetched: 0 } })
  const found = await team.run(other, 'fsck', '--fetch')
  expect(found.json()).toMatchObject({
    bucket: { by_size: 0, fetched: all },
    findings: [{ kind: 'file_changed', file: key.slice(-64), fixable: false }],
  })
  team.objects.set(key, bytes)
  expect((await team.run(other, 'fsck', '--fetch')).json()).toMatchObject({ ok: true, findings: [] })
  const kept = await readdir(other, { recursive: true, withFileTypes: true })
  expect(kept.filter((each) => each.isFile() && /files|staging/.test(each.parentPath))).toEqual([])
  expect((await team.run(team.library, 'fsck')).json()).toMatchObject({ bucket: { by_size: 0, fetched: 0 } })
})

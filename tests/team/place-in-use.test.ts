import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'

import { importLibrary } from '../../packages/team/import-library.ts'
import { TeamFailure } from '../../packages/team/team-failure.ts'
import { stream } from '../cli/support/cli.ts'
import { aLibrary } from '../support/library-with-service.ts'
import { openGalley } from '../support/open-galley.ts'
import { aTeam } from '../support/team.ts'

const named = (name: string) => ['site', 'add', 'acme', '--name', name] as const

/** A team of two. The one that leaves writes by itself then. */
async function aTeamThatIsLeft(whose: 'first' | 'second') {
  const team = await aTeam()
  expect((await team.import()).code).toBe(0)
  const second = await team.newFolder()
  expect((await team.join(second)).code).toBe(0)
  const [left, stays] = whose === 'first' ? [team.library, second] : [second, team.library]
  expect((await team.run(left, 'team', 'leave', '--fetch-all')).code).toBe(0)
  for (const name of ['Alone', 'Still alone']) expect((await team.run(left, ...named(name))).code).toBe(0)
  return { ...team, left, stays }
}

it('changes nothing where the import of another library has begun', async () => {
  const end = { isAllowed: false }
  const team = await aTeam({
    mishap: (method, key) =>
      method === 'PUT' && key === 'library/library.json' && !end.isAllowed ? 'status_403' : null,
  })
  expect((await team.import()).code).toBe(1)
  const other = (await aLibrary()).library
  for (const name of ['Other', 'Another', 'A third']) expect((await team.run(other, ...named(name))).code).toBe(0)
  const before = [...team.objects.keys()]
  expect((await team.import(other)).failure().code).toBe('bucket_in_use')
  expect([...team.objects.keys()]).toEqual(before)
  end.isAllowed = true
  expect((await team.import()).code).toBe(0)
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  expect((await team.run(folder, 'site', 'list')).json()).toMatchObject([{ name: 'acme' }])
})

it.each<['first' | 'second']>([['first'], ['second']])(
  'does not disturb a team that went on when its %s member, which has left, is imported there again',
  async (whose) => {
    const team = await aTeamThatIsLeft(whose)
    expect((await team.run(team.stays, ...named('Team'))).code).toBe(0)
    const before = new Map(team.objects)
    expect((await team.import(team.left)).failure().code).toBe('bucket_in_use')
    expect(new Map(team.objects)).toEqual(before)
    const folder = await team.newFolder()
    expect((await team.join(folder)).code).toBe(0)
    expect((await team.run(folder, ...named('Joined'))).code).toBe(0)
    expect((await team.run(team.stays, 'site', 'list')).json()).toMatchObject([{ name: 'Joined' }])
  },
)

it('takes the first member back, with what it has written alone, if the team has written nothing since', async () => {
  const team = await aTeamThatIsLeft('first')
  expect((await team.import(team.left)).code).toBe(0)
  expect((await team.run(team.stays, 'site', 'list')).json()).toMatchObject([{ name: 'Still alone' }])
})

it('joins with a checkpoint of its own library only', async () => {
  const team = await aTeam()
  expect((await team.import()).code).toBe(0)
  const own = [...team.objects.keys()].filter((key) => key.startsWith('library/checkpoints/'))
  const elsewhere = ['team', 'import', 's3://team/elsewhere', ...team.at.slice(1)] as const
  expect((await team.run((await aLibrary()).library, ...elsewhere)).code).toBe(0)
  // It has the same position.
  for (const key of own)
    team.objects.set(key, team.objects.get(key.replace('library/', 'elsewhere/')) ?? Buffer.alloc(0))
  expect(own.every((key) => (team.objects.get(key)?.length ?? 0) > 0)).toBe(true)
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  expect((await team.run(folder, ...named('Joined'))).code).toBe(0)
  expect((await team.run(team.library, 'site', 'list')).json()).toMatchObject([{ name: 'Joined' }])
})

it.each([
  ['is damaged', Buffer.from('hello\n'), 'library_damaged'],
  ['is missing', null, 'log_mismatch'],
  ['is folded', Buffer.from('{"folded":9}\n'), 'log_folded'],
])('says so if there is no checkpoint and the first entry %s', async (_, bytes, code) => {
  const team = await aTeam()
  expect((await team.import()).code).toBe(0)
  for (const key of team.objects.keys()) if (key.includes('/checkpoints/')) team.objects.delete(key)
  const first = 'library/log/00000000000000000001.jsonl'
  if (bytes === null) team.objects.delete(first)
  else team.objects.set(first, bytes)
  expect((await team.join(await team.newFolder())).failure().code).toBe(code)
})

it.each(['before', 'after'])(
  'is a member where an import was killed right %s the bucket named the library',
  async (moment) => {
    const stop = { isDue: true, reached: Promise.withResolvers<void>() }
    const isMarker = (method: string, key: string): boolean =>
      stop.isDue && method === 'PUT' && key === 'library/library.json'
    const team = await aTeam({
      mishap: (method, key) => (isMarker(method, key) && moment === 'after' ? 'cut_after' : null),
      hold(method, key) {
        if (!isMarker(method, key)) return Promise.resolve()
        stop.reached.resolve()
        return moment === 'before' ? new Promise(() => undefined) : Promise.resolve()
      },
    })
    const importing = stream(['team', 'import', ...team.at, '--json', '--library', team.library], team.environment)
    await stop.reached.promise
    if (moment === 'after') await expect.poll(() => team.objects.has('library/library.json')).toBe(true)
    importing.child.kill('SIGKILL')
    await importing.ended
    stop.isDue = false
    if (moment === 'before') expect((await team.join(await team.newFolder())).failure().code).toBe('no_team_library')
    // Whatever it does next, it is one of the team, and others can join.
    expect((await team.run(team.library, 'team', 'status')).json()).toMatchObject({ behind: 0, offline: null })
    const second = await team.newFolder()
    expect((await team.join(second)).code).toBe(0)
    expect((await team.run(second, ...named('Theirs'))).code).toBe(0)
    expect((await team.run(team.library, 'site', 'list')).json()).toMatchObject([{ name: 'Theirs' }])
    expect((await team.run(team.library, ...named('Ours'))).code).toBe(0)
    expect((await team.run(second, 'site', 'list')).json()).toMatchObject([{ name: 'Ours' }])
  },
)

it('completes the library in the bucket only after the keys are kept', async () => {
  const team = await aTeam()
  const galley = await openGalley({ folder: team.library, secrets: { environment: team.environment } })
  const place = { bucket: 'team', prefix: 'library/', endpoint: team.storage.url, region: 'us-east-1' }
  const options = {
    place,
    keys: team.storage.keys,
    isNew: false,
    signal: new AbortController().signal,
    keepKeys: () => Promise.reject(new TeamFailure('secrets_unavailable', randomUUID())),
    onProgress: () => undefined,
  }
  await expect(importLibrary(galley, options)).rejects.toMatchObject({ code: 'secrets_unavailable' })
  await galley.close()
  expect(team.objects.has('library/library.json')).toBe(false)
  expect((await team.import()).code).toBe(0)
})

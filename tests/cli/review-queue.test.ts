import { afterAll, beforeAll, expect, test } from 'vitest'

import type { AtEnd } from './support/cli.ts'
import { galley } from './support/cli.ts'
import { aNewsroom, aPage } from './support/library.ts'

// Which pages wait for a decision, by command line.

const ends: (() => Promise<void>)[] = []
const atEnd: AtEnd = (clean) => void ends.unshift(clean)
let room: Awaited<ReturnType<typeof aNewsroom>>

beforeAll(async () => {
  room = await aNewsroom({ atEnd })
})
afterAll(async () => {
  for (const clean of ends) await clean()
})

const done = (...args: string[]) => room.done(...args)
const refused = (...args: string[]) => room.refused(...args)

async function save(material: string, heading: string): Promise<string> {
  const { fingerprint } = (await done('open', 'acme', material)) as { fingerprint: string }
  return (await room.save(fingerprint, aPage(heading))).version_id ?? ''
}

const queue = (...args: string[]) => done('review', 'queue', 'acme', ...args)
const since = expect.any(String) as string

test('pages wait until they are approved, and again when they change', async () => {
  const first = await save('post', 'Night trains')
  await save('other', 'Harbour')
  const row = { material_id: 'post', title: 'Night trains', version_id: first, baseline: null, state: 'new', since }
  const all = (await queue()) as readonly { material_id: string }[]
  expect(all.map(({ material_id: id }) => id)).toEqual(['post', 'other'])
  expect(all[0]).toStrictEqual({
    ...row,
    by: 'editor@acme.example',
    summary: 'New page',
    changes: expect.any(Number) as number,
  })
  expect(await queue('--limit', '1')).toEqual([all[0]])

  await done('review', 'approve', 'acme', 'post', '--by', 'Ida')
  expect(await queue('--state', 'changed')).toEqual([])
  expect(await queue('--state', 'approved')).toMatchObject([{ material_id: 'post', by: 'Ida', baseline: first }])

  const second = await save('post', 'Day trains')
  expect(await queue('--state', 'changed')).toMatchObject([
    { version_id: second, baseline: first, summary: expect.stringContaining('Headline edited') as string },
  ])
  await done('review', 'request', 'acme', 'post', '--by', 'Ida', '--reason', 'Name the line')
  expect(await queue('--state', 'changes_requested', '--state', 'changed')).toMatchObject([
    { version_id: second, state: 'changes_requested', by: 'Ida', baseline: first },
  ])
  const materials = (await done('materials', 'acme')) as readonly Record<string, unknown>[]
  expect(materials.find(({ material_id: id }) => id === 'post')?.['review']).toEqual({
    state: 'changes_requested',
    baseline: first,
    since,
  })
  expect(await refused('review', 'queue', 'acme', '--state', 'odd')).toEqual([2, 'usage'])
})

test('people read a table', async () => {
  const { stdout } = await galley(
    ['review', 'queue', 'acme', '--state', 'new', '--library', room.library],
    room.environment,
  )
  expect(stdout.replace(/ {2,}/g, ' | ').split('\n')[0]).toBe('SINCE | MATERIAL | STATE | BY | SUMMARY')
  expect(stdout).toContain('New page')
})

test('the rules of a site say who may approve', async () => {
  const rules = { same_person_may_approve: true, approve_unchanged: false }
  expect(await done('rules', 'acme')).toMatchObject(rules)
  const set = await done('rules', 'acme', '--same-person-may-approve', 'off', '--approve-unchanged', 'on')
  expect(set).toMatchObject({ same_person_may_approve: false, approve_unchanged: true })
  const approve = ['review', 'approve', 'acme', 'other', '--by']
  expect(await refused(...approve, 'editor@acme.example')).toEqual([1, 'same_person'])
  await done(...approve, 'Ida')
  expect(await refused('rules', 'acme', '--approve-unchanged', 'maybe')).toEqual([2, 'usage'])
})

test('a target is marked live, and one at a time', async () => {
  const add = (name: string, ...args: string[]) =>
    done('target', 'add', 'acme', name, `folder:${room.folder}/${name}`, ...args)
  expect(await add('www', '--live')).toMatchObject({ live: true })
  expect(await add('staging')).toMatchObject({ live: false })
  expect(await add('staging', '--live')).toMatchObject({ live: true })
  expect(await done('target', 'list', 'acme')).toMatchObject([
    { name: 'staging', live: true },
    { name: 'www', live: false },
  ])
  expect(await add('staging', '--not-live')).toMatchObject({ live: false })
})

test('a name is erased from decisions', async () => {
  expect(await done('erase', '--name', 'Ida', '--dry-run')).toMatchObject({ rows: 3 })
  expect(await refused('erase')).toEqual([2, 'usage'])
  expect(await refused('erase', 'ida@acme.example', '--name', 'Ida')).toEqual([2, 'usage'])
})

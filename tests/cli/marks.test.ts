import { afterAll, beforeAll, expect, test } from 'vitest'

import type { AtEnd } from './support/cli.ts'
import { aNewsroom, aPage } from './support/library.ts'

// What people set on records, by command line.

const ends: (() => Promise<void>)[] = []
const atEnd: AtEnd = (clean) => void ends.unshift(clean)
let room: Awaited<ReturnType<typeof aNewsroom>>
let versions: readonly string[]

beforeAll(async () => {
  room = await aNewsroom({ atEnd })
  const opened = await room.run('open', 'acme', 'post')
  const { fingerprint } = opened.json() as { fingerprint: string }
  for (const heading of ['First', 'Second']) await room.save(fingerprint, aPage(heading))
  const listed = (await done('versions', 'acme', 'post')) as readonly { version_id: string }[]
  versions = listed.map(({ version_id }) => version_id)
})
afterAll(async () => {
  for (const clean of ends) await clean()
})

const done = (...args: string[]) => room.done(...args)
const refused = (...args: string[]) => room.refused(...args)
const history = async () =>
  ((await done('review', 'history', 'acme', 'post')) as readonly Record<string, unknown>[]).map(
    ({ number, decision, by, reason }) => [number, decision, by, reason],
  )

test('a part of a page is ignored by its text, listed, and compared again', async () => {
  const [second = '', first = ''] = versions
  expect(await done('ignore', 'acme', 'post')).toEqual([])
  const part = { text: 'Text of Second.', version_id: second, blocks: 1 }
  for (const _twice of [1, 2]) expect(await done('ignore', 'acme', 'post', '--quote', 'of Second')).toEqual([part])
  const older = { text: 'First', version_id: first, blocks: 1 }
  const both = await done('ignore', 'acme', 'post', first, '--quote', 'First', '--suffix', 'Text of')
  expect(both).toEqual([part, older])
  expect(await refused('ignore', 'acme', 'post', '--quote', 'Third')).toEqual([1, 'quote_not_found'])
  expect(await refused('ignore', 'acme', 'post', '--quote', 'Second')).toEqual([1, 'quote_ambiguous'])
  expect(await refused('ignore', 'acme', 'post', '--quote', 'x', '--compare-again', 'y')).toEqual([2, 'usage'])
  expect(await refused('ignore', 'acme', 'post', '--compare-again', 'Second')).toEqual([1, 'unknown_part'])
  expect(await done('ignore', 'acme', 'post', '--compare-again', part.text)).toEqual([older])
  expect(await done('ignore', 'acme', 'post', '--compare-again', older.text)).toEqual([])
})

test('decisions about versions are set, repeated, refused, taken back and listed', async () => {
  const [second = '', first = ''] = versions
  expect(await done('show', 'version', 'acme', 'post', second)).toMatchObject({
    number: 2,
    verdict: null,
    note: '',
    pinned: false,
    tags: [],
  })
  const verdict = { decision: 'approved', by: 'Ida', reason: '', baseline: null, at: expect.any(String) as string }
  expect(await done('review', 'approve', 'acme', 'post', '--by', 'Ida')).toMatchObject({ version_id: second, verdict })
  // Approving what is approved changes nothing, whoever does it.
  expect(await done('review', 'approve', 'acme', 'post', second, '--by', 'Ada')).toMatchObject({ verdict })
  expect(await history()).toEqual([[2, 'approved', 'Ida', '']])

  const about = ['acme', 'post', first, '--by', 'Ada']
  expect(await refused('review', 'approve', ...about)).toEqual([1, 'moved_on'])
  expect(await refused('review', 'request', ...about, '--version-is-old')).toEqual([2, 'usage'])
  expect(await refused('review', 'approve', 'acme', 'post')).toEqual([2, 'usage'])
  expect(await refused('review', 'approve', 'acme', 'post', 'none', '--by', 'Ida')).toEqual([1, 'unknown_version'])
  expect(await done('review', 'request', ...about, '--reason', 'Name the quay', '--version-is-old')).toMatchObject({
    version_id: first,
    verdict: { decision: 'changes_requested', by: 'Ada', reason: 'Name the quay' },
  })
  expect(await done('review', 'clear', 'acme', 'post', '--by', 'Ida')).toMatchObject({ verdict: null })
  expect(await history()).toEqual([
    [2, 'cleared', 'Ida', ''],
    [1, 'changes_requested', 'Ada', 'Name the quay'],
    [2, 'approved', 'Ida', ''],
  ])
})

test('notes, pins and tags of a version', async () => {
  const about = ['mark', 'acme', 'post', versions[0] ?? '']
  expect(await done(...about, '--note', 'For print', '--pin', '--tag', 'a', '--tag', 'b')).toMatchObject({
    note: 'For print',
    pinned: true,
    tags: ['a', 'b'],
  })
  expect(await done(...about, '--note', 'none', '--unpin', '--untag', 'a')).toMatchObject({
    note: '',
    pinned: false,
    tags: ['b'],
  })
  expect(await refused(...about, '--pin', '--unpin')).toEqual([2, 'usage'])
  expect(await refused(...about, '--tag', ' ')).toEqual([2, 'usage'])
  expect(await refused('mark', 'acme', 'post', 'none', '--pin')).toEqual([1, 'unknown_version'])
})

test('title and slug of a material', async () => {
  expect(await done('rename', 'acme', 'post', '--title', 'Harbour', '--slug', 'harbour')).toMatchObject({
    material_id: 'post',
    title: 'Harbour',
    slug: 'harbour',
  })
  expect(await done('rename', 'acme', 'post', '--title', 'The harbour')).toMatchObject({ slug: 'harbour' })
  expect(await refused('rename', 'acme', 'post')).toEqual([2, 'usage'])
  expect(await refused('rename', 'acme', 'gone', '--title', 'x')).toEqual([1, 'unknown_material'])
})

test('saves are paused and resumed: of a material, of a site, of all sites', async () => {
  const { fingerprint } = (await done('open', 'acme', 'post')) as { fingerprint: string }
  const save = async () => (await room.save(fingerprint, aPage('Third'))).result
  const since = expect.any(String) as string
  for (const what of [['acme', 'post'], ['acme'], []]) {
    expect(await done('pause', ...what, '--reason', 'Elections')).toEqual({
      site: what[0] ?? null,
      material_id: what[1] ?? null,
      pause: { reason: 'Elections', since },
    })
    expect(await save()).toBe('rejected')
    expect(await done('resume', ...what)).toMatchObject({ pause: null })
  }
  expect(await save()).toBe('merged')
  const refusal = { material_id: 'other', reason: 'Not ours', since }
  expect(await done('rules', 'acme', '--refuse', 'other', '--reason', 'Not ours', '--unknown', 'accept')).toMatchObject(
    {
      unknown_materials: 'accept',
      materials: [refusal],
    },
  )
  expect(await done('rules', 'acme')).toMatchObject({ unknown_materials: 'accept', pause: null, materials: [refusal] })
  expect(await refused('rules', 'acme', '--refuse', 'other')).toEqual([2, 'usage'])
  expect(await refused('pause', 'nowhere')).toEqual([1, 'unknown_site'])
})

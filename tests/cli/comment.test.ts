import { afterAll, beforeAll, expect, test } from 'vitest'

import type { AtEnd } from './support/cli.ts'
import { aNewsroom, aPage } from './support/library.ts'

// Comments on places of a page, by command line.

interface Thread {
  readonly id: string
  readonly quote: string
  readonly found?: string
  readonly version_id: string
  readonly thread: readonly { readonly by: string; readonly text: string }[]
  readonly resolved: boolean
}

const ends: (() => Promise<void>)[] = []
const atEnd: AtEnd = (clean) => void ends.unshift(clean)
let room: Awaited<ReturnType<typeof aNewsroom>>
let fingerprint = ''
let first = ''

const page = (...paragraphs: readonly string[]) => ({
  ...aPage('Night trains'),
  html: `<article><h1>Night trains</h1>${paragraphs.map((each) => `<p>${each}</p>`).join('')}</article>`,
})

beforeAll(async () => {
  room = await aNewsroom({ atEnd })
  fingerprint = ((await room.run('open', 'acme', 'post')).json() as { fingerprint: string }).fingerprint
  const save = page('The train leaves at nine. Nobody knows why.', 'The train is late again, as every winter.')
  first = (await room.save(fingerprint, save)).version_id ?? ''
  await room.run('open', 'acme', 'empty')
})
afterAll(async () => {
  for (const clean of ends) await clean()
})

const done = async <Value = Thread>(...args: string[]) => (await room.done('comment', ...args)) as Value
const refused = (...args: string[]) => room.refused('comment', ...args)
const by = ['--by', 'Ida', '--text', 'Since when?']

test('a comment is added, answered, listed, resolved and opened again', async () => {
  const added = await done('add', 'acme', 'post', '--quote', 'Nobody knows', ...by)
  expect(added).toMatchObject({
    quote: 'Nobody knows',
    found: 'same',
    version_id: first,
    thread: [{ id: added.id, by: 'Ida', text: 'Since when?' }],
    resolved: false,
  })
  await done('answer', added.id, '--by', 'Ben', '--text', 'Since May.')
  expect(await done('resolve', added.id, '--by', 'Ben')).toMatchObject({ id: added.id, resolved: true })
  // Twice changes nothing.
  expect(await done('resolve', added.id)).toMatchObject({ resolved: true })
  expect(await done('reopen', added.id)).toMatchObject({ resolved: false })
  const [listed] = await done<readonly Thread[]>('list', 'acme', 'post')
  expect(listed).toMatchObject({
    id: added.id,
    found: 'same',
    thread: [{ by: 'Ida' }, { by: 'Ben', text: 'Since May.' }],
  })
  expect((await room.run('comment', 'list', 'acme', 'post')).stdout).toContain('Nobody knows')
})

test('a quote that is not there, or more than once, is refused in words', async () => {
  expect(await refused('add', 'acme', 'post', '--quote', 'Everybody knows', ...by)).toEqual([1, 'quote_not_found'])
  expect(await refused('add', 'acme', 'post', '--quote', 'The train', ...by)).toEqual([1, 'quote_ambiguous'])
  const late = await done('add', 'acme', 'post', '--quote', 'The train', '--suffix', ' is late', ...by)
  expect(late.quote).toBe('The train')
  expect(await refused('add', 'acme', 'post', '--quote', 'The train', '--prefix', 'A slow', ...by)).toEqual([
    1,
    'quote_not_found',
  ])
  expect(await refused('add', 'acme', 'empty', '--quote', 'x', ...by)).toEqual([1, 'unknown_version'])
  expect(await refused('resolve', '5b4c5d80-6f0e-4d6e-9a36-3f1b7f6f0a01')).toEqual([1, 'unknown_comment'])
  const { code, stderr } = await room.run('comment', 'add', 'acme', 'post', '--quote', 'late')
  expect(code).toBe(2)
  expect(stderr).toContain('needs --by')
})

test('in the next version places are found, changed or lost', async () => {
  await done('add', 'acme', 'post', '--quote', 'every winter', ...by)
  const next = page(
    'New: trains run.',
    'The night train is late again, as always.',
    'The train leaves at ten. Nobody knows why.',
  )
  const second = (await room.save(fingerprint, next)).version_id ?? ''
  const states = async (...version: string[]) =>
    (await done<readonly Thread[]>('list', 'acme', 'post', ...version)).map(({ quote, found }) => [quote, found])
  expect(await states()).toEqual([
    ['Nobody knows', 'moved'],
    ['The train', 'changed'],
    ['every winter', 'changed'],
  ])
  expect(await states(second)).toEqual(await states())
  expect(await states(first)).toEqual([
    ['Nobody knows', 'same'],
    ['The train', 'same'],
    ['every winter', 'same'],
  ])
  await room.save(fingerprint, page('Something else entirely.'))
  expect((await states()).map(([, found]) => found)).toEqual(['lost', 'lost', 'lost'])
})

test('a site says where its authors edit a page', async () => {
  const link = 'https://cms.example/edit/{material_id}'
  const set = async (value: string) => {
    const { code, json } = await room.run('site', 'publishing', 'acme', '--edit-link', value)
    return [code, (json() as { edit_link?: string | null }).edit_link]
  }
  expect(await set(link)).toEqual([0, link])
  expect(await set('https://cms.example/')).toEqual([2, undefined])
  expect(await set('none')).toEqual([0, null])
})

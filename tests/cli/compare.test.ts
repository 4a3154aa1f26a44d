import { afterAll, beforeAll, expect, test } from 'vitest'

import type { AtEnd } from './support/cli.ts'
import { galley } from './support/cli.ts'
import { aNewsroom, aPage } from './support/library.ts'

// What changed between two versions of a page, by command line.

const ends: (() => Promise<void>)[] = []
const atEnd: AtEnd = (clean) => void ends.unshift(clean)
let room: Awaited<ReturnType<typeof aNewsroom>>
let first = ''
let second = ''

const page = (text: string, picture: string) => ({
  ...aPage('Night trains', picture),
  html: `<article><h1>Night trains</h1><p>${text}</p><img src="dummy-hero.png" alt=""></article>`,
})

beforeAll(async () => {
  room = await aNewsroom({ atEnd })
  const { fingerprint } = (await room.run('open', 'acme', 'post')).json() as { fingerprint: string }
  first = (await room.save(fingerprint, page('They run at night.', 'a wagon'))).version_id ?? ''
  second = (await room.save(fingerprint, page('They run at noon.', 'a window'))).version_id ?? ''
  await room.run('open', 'acme', 'empty')
})
afterAll(async () => {
  for (const clean of ends) await clean()
})

const compared = async (...args: string[]) => {
  const { code, stderr, json } = await room.run('compare', 'acme', 'post', ...args)
  expect(code, stderr).toBe(0)
  return json()
}

const changed = () => ({
  from: first,
  to: second,
  summary: 'Standfirst edited, picture 1 replaced, editor state changed',
  changes: [
    {
      kind: 'edited',
      block: 'paragraph',
      before: 'They run at night.',
      after: 'They run at noon.',
      words: { added: 1, removed: 1 },
    },
    { kind: 'picture', block: 'figure', before: 'hero.png', after: 'hero.png', words: { added: 0, removed: 0 } },
  ],
  state_changed: true,
  fonts_changed: false,
  metadata_changed: false,
})

test('a page that nobody has approved or published is new', async () => {
  expect(await compared()).toMatchObject({ from: null, to: second, summary: 'New page', state_changed: false })
})

test('two versions are compared by their blocks and files', async () => {
  expect(await compared(first, second)).toStrictEqual(changed())
  expect(await compared(second, second)).toMatchObject({ summary: 'No change of text, pictures or links', changes: [] })
})

test('a page is compared with the version that was approved last, and still is', async () => {
  const decide = (decision: string, ...more: string[]) =>
    room.run('review', decision, 'acme', 'post', first, '--by', 'Ida', '--version-is-old', ...more)
  await decide('approve')
  expect(await compared()).toStrictEqual(changed())
  await decide('clear')
  expect(await compared()).toMatchObject({ from: null })
})

test('otherwise with the version in the newest release', async () => {
  const folder = `${room.folder}/www`
  await room.run('site', 'publishing', 'acme', '--base-url', 'https://acme.example')
  await room.run('target', 'add', 'acme', 'live', `folder:${folder}`)
  await room.run('page', 'acme', 'post', '--version', first)
  const published = await room.run('publish', 'acme')
  expect(published.code, published.stderr + published.stdout).toBe(0)
  expect(await compared()).toStrictEqual(changed())
})

test('people read a sentence and a table', async () => {
  const { stdout } = await galley(
    ['compare', 'acme', 'post', first, second, '--library', room.library],
    room.environment,
  )
  expect(stdout.split('\n').map((line) => line.replace(/ {2,}/g, ' | ').trimEnd())).toStrictEqual([
    'Standfirst edited, picture 1 replaced, editor state changed.',
    'CHANGE | BEFORE | AFTER',
    'Paragraph edited | They run at night. | They run at noon.',
    'Picture replaced | hero.png | hero.png',
    '',
  ])
})

test('a version or a material that is not there is named', async () => {
  const ran = async (...args: string[]) => {
    const { code, failure } = await room.run('compare', 'acme', ...args)
    return [code, failure().code]
  }
  expect(await ran('post', 'none')).toEqual([1, 'unknown_version'])
  expect(await ran('empty')).toEqual([1, 'unknown_version'])
  expect(await ran('nothing')).toEqual([1, 'unknown_material'])
})

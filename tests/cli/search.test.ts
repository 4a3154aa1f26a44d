import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { AtEnd } from './support/cli.ts'
import { aNewsroom, aPage } from './support/library.ts'

// One search over everything, by command line.

interface Found {
  readonly kind: string
  readonly material_id: string | null
  readonly version_id: string | null
  readonly excerpt: string
}

const ends: (() => Promise<void>)[] = []
const atEnd: AtEnd = (clean) => void ends.unshift(clean)
let room: Awaited<ReturnType<typeof aNewsroom>>
const versions: string[] = []

const page = (text: string) => ({
  ...aPage('Night trains'),
  html: `<article><h1>Night trains</h1><p>${text}</p></article>`,
})

beforeAll(async () => {
  room = await aNewsroom({ atEnd })
  const { fingerprint } = (await room.run('open', 'acme', 'post')).json() as { fingerprint: string }
  for (const text of ['The train leaves at nine, says Wintergarten.', 'The train leaves at ten.'])
    versions.push((await room.save(fingerprint, page(text))).version_id ?? '')
  const by = ['--by', 'Ida', '--text', 'Since which timetable?']
  await room.run('comment', 'add', 'acme', 'post', '--quote', 'leaves at ten', ...by)
})
afterAll(async () => {
  for (const clean of ends) await clean()
})

async function found(...args: string[]) {
  const { code, stderr, json } = await room.run('search', ...args)
  expect(code, stderr).toBe(0)
  return (json() as readonly Found[]).map(({ kind, material_id, version_id }) => [kind, material_id, version_id])
}
const texts = (): string =>
  readdirSync(room.library)
    .filter((name) => name.startsWith('search.db'))
    .map((name) => readFileSync(join(room.library, name), 'latin1').toLowerCase())
    .join('')

test('pages of all versions, titles and comments are found, each as what it is', async () => {
  const [first, second] = versions
  expect(await found('train leaves')).toEqual([['page', 'post', second]])
  expect(await found('wintergarten')).toEqual([])
  expect(await found('wintergarten', '--all-versions')).toEqual([['page', 'post', first]])
  expect(await found('timetable')).toEqual([['comment', 'post', second]])
  expect(await found('timetable', '--kind', 'page')).toEqual([])
  expect(await found('night', '--kind', 'title', '--kind', 'comment', '--site', 'acme')).toEqual([
    ['title', 'post', second],
  ])
  expect(await found('post', '--kind', 'callback')).not.toEqual([])
})

test('what is not known is said', async () => {
  expect((await room.run('search', 'x', '--site', 'nobody')).code).toBe(1)
  expect((await room.run('search', 'x', '--kind', 'picture')).code).toBe(2)
  expect((await room.run('search')).code).toBe(2)
})

test('a deleted material leaves the search with its texts', async () => {
  expect(texts()).toContain('wintergarten')
  await room.run('material', 'delete', 'acme', 'post')
  expect(texts()).not.toContain('wintergarten')
  expect(await found('wintergarten', '--all-versions')).toEqual([])
})

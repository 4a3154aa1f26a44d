import { expect, it } from 'vitest'

import { givenLibrary } from '../../../src/main/shell/given-library.ts'
import { linkIn } from '../../../src/main/shell/links.ts'
import { jumpList, recentSites, withShown } from '../../../src/main/shell/recent-sites.ts'

const sites = [
  { id: 'quay', name: 'The Quay' },
  { id: 'harbour', name: 'Harbour "News"' },
  { id: 'tide', name: 'Tide' },
]
const program = { path: 'C:\\Galley\\Galley.exe', library: null, title: 'Recent sites', removed: [] }

it('the site that is shown comes first, once, and five are kept', () => {
  const shown = ['a', 'b', 'c', 'd', 'e', 'f', 'e'].reduce<readonly string[]>(withShown, [])
  expect(shown).toEqual(['e', 'f', 'd', 'c', 'b'])
})

it('lists the sites that are there by their names now, and nothing where there is no choice', () => {
  expect(recentSites(['tide', 'gone', 'quay'], sites)).toEqual([
    { name: 'Tide', link: 'galley://show/tide' },
    { name: 'The Quay', link: 'galley://show/quay' },
  ])
  expect(recentSites(['tide', 'gone'], sites)).toEqual([])
})

it('each entry of the jump list starts the program with a link that is understood', () => {
  const [category, ...others] = jumpList(recentSites(['harbour', 'quay'], sites), program)
  expect(others).toEqual([])
  expect(category).toMatchObject({ type: 'custom', name: 'Recent sites' })
  expect(category?.items?.map(({ title, program: path, args }) => [title, path, args])).toEqual([
    ['Harbour "News"', program.path, 'galley://show/harbour'],
    ['The Quay', program.path, 'galley://show/quay'],
  ])
  for (const { args = '' } of category?.items ?? []) expect(linkIn([args])).toBe(args)
})

it('names a library that is not the usual one, and leaves out what the person took out', () => {
  const library = 'D:\\My library\\'
  const recent = recentSites(['tide', 'quay'], sites)
  const [named] = jumpList(recent, { ...program, library })
  const [first, second] = named?.items?.map(({ args = '' }) => args) ?? []
  expect(first).toBe('--library="D:\\My library" galley://show/tide')
  // As Windows cuts it into arguments.
  expect(givenLibrary(['--library=/My library', 'galley://show/tide'], {})).toBe('/My library')
  const [left] = jumpList(recent, { ...program, library, removed: [first ?? ''] })
  expect(left?.items?.map(({ args }) => args)).toEqual([second])
  expect(jumpList(recent.slice(0, 1), { ...program, removed: ['galley://show/tide'] })).toEqual([])
})

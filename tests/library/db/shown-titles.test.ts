import { expect, it } from 'vitest'

import { printable, table } from '../../../packages/cli/table.ts'
import { shownTitle } from '../../../packages/wire/text/shown-title.ts'
import { noFilters } from '../../../src/ipc/materials.ts'
import { acme, aVersion, openLibrary, storeVersion } from './sample.ts'

/** Embeddings, overrides and isolates, which change the direction of what follows them. */
const turning = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069']
/** Marks, which only say how they are to be read themselves. Titles in Hebrew and Arabic have them. */
const marks = ['\u200e', '\u200f', '\u061c']

it.each(turning)('%j turns no text of the window, of a terminal or of readers', async (sign) => {
  const title = `photo ${sign}gnp.exe`
  const { index } = await openLibrary()
  storeVersion(index, aVersion('v1', { title, text: 'words' }))
  index.materials.rename(acme.id, 'post-1', title, 'post-1')
  const shown = 'photo gnp.exe'
  const list = (text: string) =>
    index.materialList.query({
      site: acme.id,
      text,
      filters: noFilters,
      sort: { by: 'saved', direction: 'down' },
      offset: 0,
      limit: 9,
    }).rows
  expect(list('').map((row) => row.title)).toEqual([shown])
  expect(list('photo').map(({ hit }) => hit?.title.map(({ text }) => text).join(''))).toEqual([shown])
  expect(index.materialList.find(acme.id, 'post-1')?.title).toBe(shown)
  expect(index.pages.find(acme.id, 'post-1')?.title).toBe(shown)
  const [callback] = index.callbackList.back(
    {
      site: null,
      materialId: null,
      outcomes: [],
      kinds: [],
      signatures: [],
      from: null,
      to: null,
      text: '',
    },
    99,
    9,
  )
  expect(callback?.materialTitle).toBe(shown)
  expect(table(['TITLE'], [[title]])).toBe('TITLE\nphoto �gnp.exe')
})

it('marks of direction stay in titles, and are shown as signs in a terminal', () => {
  for (const mark of marks) {
    expect(shownTitle(`a${mark}b`)).toBe(`a${mark}b`)
    expect(printable(`a${mark}b`)).toBe('a�b')
  }
})

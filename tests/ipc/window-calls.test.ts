import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

import { calls } from '../../src/ipc/calls.ts'
import { reviewCalls } from '../../src/ipc/review-window.ts'

const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8')
const [, section = ''] = page.split('## 6. ')
const [table = '', review = ''] = section.split('The frame of a review window')

const namesIn = (text: string): readonly string[] => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)

test('the page documents exactly the calls of the window', () => {
  const rows = table.split('\n').filter((line) => line.startsWith('| '))
  expect(rows.flatMap(namesIn).toSorted()).toEqual(Object.keys(calls).toSorted())
})

test('the page documents every call of a review window', () => {
  expect(namesIn(review)).toEqual(expect.arrayContaining(Object.keys(reviewCalls)))
})

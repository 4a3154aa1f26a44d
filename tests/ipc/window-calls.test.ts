import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

import { reportTexts } from '../../packages/wire/index.ts'
import { calls } from '../../src/ipc/calls.ts'
import { deskCalls } from '../../src/ipc/desk.ts'
import { reviewCallsFor } from '../../src/ipc/review.ts'

const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8')
const [, section = ''] = page.split('## 6. ')
const [table = '', review = ''] = section.split('A review window')

const namesIn = (text: string): readonly string[] => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)

test('the page documents exactly the calls of the window', () => {
  const rows = table.split('\n').filter((line) => line.startsWith('| '))
  expect(rows.flatMap(namesIn).toSorted()).toEqual(Object.keys(calls).toSorted())
})

test('the page documents exactly the calls of a review window beside those of its desk', () => {
  const ofDesk = new Set(Object.keys(deskCalls))
  const others = Object.keys(reviewCallsFor({ site: '', materialId: '' })).filter((name) => !ofDesk.has(name))
  const [first = ''] = review.split('. ')
  expect(namesIn(first).toSorted()).toEqual(others.toSorted())
})

test('a review window saves a report with all its words, of its own material alone', () => {
  const { saveVersion } = reviewCallsFor({ site: 'acme', materialId: 'post-1' })
  const report = {
    from: 'v1',
    withNames: false,
    language: 'en',
    texts: reportTexts,
    summary: '',
    changes: [],
    elsewhere: [],
  }
  const saved = { site: 'acme', materialId: 'post-1', versionId: 'v2', kind: 'report', report }
  expect(saveVersion.safeParse(saved).error).toBeUndefined()
  expect(saveVersion.safeParse({ ...saved, materialId: 'post-2' }).success).toBe(false)
})

import { expect, test } from 'vitest'

import { compare, readPage } from '../../../packages/compare/index.ts'
import { wordPieces } from '../../../src/renderer/features/review/word-pieces.ts'

const changeOf = (before: string, after: string) => {
  const [one, other] = [before, after].map((text) => readPage(`<p>${text}</p>`, () => null))
  if (one === undefined || other === undefined) throw new Error('no pages')
  const [change] = compare(one, other, { state: false, fonts: false, metadata: false }).changes
  if (change === undefined) throw new Error('no change')
  return change
}

test.each([
  ['Two days and a plate of fish, at nine.', 'Three days and a bowl of hot fish, at nine.'],
  ['The old quay is closed today.', 'The quay is closed.'],
  ['The quay is closed.', 'Today the old quay is closed again'],
  ['Старый причал закрыт сегодня.', 'Новый причал открыт сегодня.'],
])('%s → %s is read as one text', (before, after) => {
  const pieces = wordPieces(changeOf(before, after))
  const text = (left: string) => pieces.flatMap(({ kind, text }) => (kind === left ? [] : [text])).join('')
  expect(text('removed')).toBe(after)
  expect(text('added').trimEnd()).toBe(before)
  expect(pieces.some(({ kind }) => kind === 'same')).toBe(true)
})

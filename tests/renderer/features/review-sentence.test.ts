import { expect, it } from 'vitest'

import type { Fact, FactKind } from '../../../packages/compare/summary.ts'
import { sentenceOf } from '../../../src/renderer/domain/change-sentence.ts'
import { rowSentence } from '../../../src/renderer/features/review/sentence.ts'
import type { Language } from '../../../src/texts/catalogue.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'

const block = (kind: FactKind, over: object = {}): Fact => ({
  kind,
  block: 'paragraph',
  count: 1,
  place: null,
  picture: null,
  ...over,
})

function said(language: Language, facts: readonly Fact[]): string {
  const summary = { facts, changes: facts.length, words: { added: 0, removed: 0 } }
  return sentenceOf({ summary }, createTexts(language).getFixedT(language, 'desk'))
}

const shortened = [block('shortened', { place: 'standfirst' }), block('picture', { block: 'figure', picture: 2 })]
const many = [
  block('edited', { count: 3 }),
  block('inserted', { block: 'cell', count: 5 }),
  block('removed', { block: 'list_item', count: 21 }),
  block('picture', { count: 2 }),
]

it.each([
  ['en', shortened, 'Standfirst shortened, picture 2 replaced'],
  ['ru', shortened, 'Лид сокращён, рисунок 2 заменён'],
  ['en', many, '3 paragraphs edited, 5 cells added, 21 list items removed, 2 pictures replaced'],
  ['ru', many, '3 абзаца изменены, 5 элементов таблицы добавлено, 21 пункт списка удалён, 2 рисунка заменены'],
] as const)('what changed, in %s', (language, facts, sentence) => expect(said(language, facts)).toBe(sentence))

it('nothing visible changed only if the pictures are equal too', () => {
  const t = createTexts('en').getFixedT('en', 'desk')
  const summary = { facts: [], changes: 0, words: { added: 0, removed: 0 }, isUnchanged: true }
  const said = [true, false, null].map((looksEqual) =>
    rowSentence({ before: 'v1', summary: { ...summary, looksEqual } }, t),
  )
  const noChange = 'No change of text, pictures or links'
  expect(said).toEqual(['No visible change', noChange, noChange])
  expect(rowSentence({ before: null, summary: null }, t)).toBe('New page')
})

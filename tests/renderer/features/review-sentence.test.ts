import { expect, it } from 'vitest'

import type { Fact, FactKind } from '../../../packages/compare/index.ts'
import { lineOf, sentenceOf } from '../../../src/renderer/domain/change-sentence.ts'
import { rowSentence } from '../../../src/renderer/features/review/page-list.tsx'
import type { Language } from '../../../src/texts/catalogue.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'

const block = (kind: FactKind, over: object = {}): Fact => ({
  kind,
  block: 'paragraph',
  count: 1,
  place: null,
  of: null,
  picture: null,
  ...over,
})

function said(language: Language, facts: readonly Fact[]): string {
  const summary = { facts, changes: facts.length, words: { added: 0, removed: 0 } }
  return sentenceOf({ summary }, createTexts(language).getFixedT(language, 'desk'))
}

const shortened = [
  block('shortened', { place: 'standfirst' }),
  block('picture', { block: 'figure', of: 'picture', picture: 2 }),
]
const many = [
  block('edited', { count: 3 }),
  block('inserted', { block: 'cell', count: 5 }),
  block('removed', { block: 'list_item', count: 21 }),
  block('picture', { count: 2, of: 'picture' }),
]

const named = [
  block('picture', { of: 'background' }),
  block('inserted', { of: 'video', count: 2 }),
  block('attribute', { block: 'embed' }),
  block('edited', { of: 'link', count: 2 }),
]

it.each([
  ['en', shortened, 'Standfirst shortened, picture 2 replaced'],
  ['ru', shortened, 'Лид сокращён, рисунок 2 заменён'],
  ['en', many, '3 paragraphs edited, 5 cells added, 21 list items removed, 2 pictures replaced'],
  ['ru', many, '3 абзаца изменены, 5 элементов таблицы добавлено, 21 пункт списка удалён, 2 рисунка заменены'],
  ['en', named, '1 background picture replaced, 2 videos added, 1 embed has other attributes, 2 links edited'],
  [
    'ru',
    named,
    '1 фоновый рисунок заменён, 2 видеоролика добавлены, 1 встроенный блок получил другие атрибуты, 2 адреса ссылок изменены',
  ],
] as const)('what changed, in %s', (language, facts, sentence) => expect(said(language, facts)).toBe(sentence))

it.each([
  ['en', [['open', null, '']], 'Section: attribute open added'],
  ['en', [['width', '640', '700']], 'Section: attribute width changed'],
  [
    'en',
    [
      ['open', '', null],
      ['id', 'a', 'b'],
    ],
    'Section: 2 attributes changed',
  ],
  ['ru', [['open', '', null]], 'Раздел: удалён атрибут open'],
] as const)('what changed in attributes, in %s: %s', (language, details, line) => {
  const t = createTexts(language).getFixedT(language, 'desk')
  const change = { kind: 'attribute', block: 'container', of: null, did: 'attribute' } as const
  const written = details.map(([name, before, after]) => ({ name, before, after }))
  expect(lineOf({ ...change, details: written }, t)).toBe(line)
})

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

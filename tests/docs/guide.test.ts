import { join } from 'node:path'
import { expect, it } from 'vitest'

import { statusFilters } from '../../packages/library/views/materials.ts'
import { failureSentences } from '../../packages/wire/failure-sentences.ts'
import { guidePages, readGuide } from '../../scripts/runtime/guide.ts'
import { explains, healthTopics, searchGuide, sectionOf } from '../../src/renderer/domain/guide.ts'
import { callbacks } from '../../src/texts/en/callbacks.ts'
import { listener } from '../../src/texts/en/listener.ts'
import { pages } from '../../src/texts/en/pages.ts'
import { reasons } from '../../src/texts/en/reasons.ts'
import { start } from '../../src/texts/en/start.ts'

const root = join(import.meta.dirname, '../..')
const languages = ['en', 'ru'] as const
const guides = { en: readGuide(root, 'en'), ru: readGuide(root, 'ru') }

/** Every failure and state that the window shows. */
const codes: readonly string[] = [
  ...Object.keys(failureSentences),
  ...Object.keys({ ...reasons.success, ...reasons.why }).map((code) => `callback:${code}`),
  ...Object.keys(start.checks).map((code) => `check:${code}`),
  ...Object.keys(callbacks.outcomes).map((outcome) => `outcome:${outcome}`),
  ...Object.keys({ ...pages.states, ...pages.readers.word }).map((state) => `page:${state}`),
  ...healthTopics.map((topic) => `health:${topic}`),
  ...Object.keys(listener.state).map((state) => `listener:${state}`),
  ...statusFilters.map((status) => `status:${status}`),
]

it.each(languages)('each failure and state has its paragraph: %s', (language) => {
  expect(codes.filter((code) => sectionOf(guides[language], code) === null)).toEqual([])
})

it.each(languages)(
  'a paragraph explains nothing that does not exist, and nothing that another one does: %s',
  (language) => {
    const patterns = guides[language].flatMap(({ means }) => means)
    const idle = patterns.filter((pattern) => !codes.some((code) => explains(pattern, code)))
    expect(idle).toEqual([])
    expect(patterns.filter((pattern, at) => patterns.indexOf(pattern) !== at)).toEqual([])
  },
)

it('both languages have the same paragraphs, with something in each', () => {
  const shape = (language: (typeof languages)[number]) =>
    guides[language].map(({ id, means, blocks }) => ({ id, means, kinds: blocks.map(({ kind }) => kind) }))
  expect(shape('ru')).toEqual(shape('en'))
  expect(guides.en.filter(({ blocks }) => blocks.length === 0)).toEqual([])
  expect(new Set(guides.en.map(({ page }) => page))).toEqual(new Set(guidePages))
  expect(guides.ru.filter(({ text }) => !/[а-я]/u.test(text))).toEqual([])
})

it('the most exact paragraph explains a code', () => {
  expect(sectionOf(guides.en, 'busy_publishing')?.id).toBe(sectionOf(guides.en, 'target_failed_mixed')?.id)
  expect(sectionOf(guides.en, 'busy')?.page).toBe('delivery')
})

it('the search finds words in any order, titles first', () => {
  expect(searchGuide(guides.en, 'backup restore')[0]?.title).toBe('Restore a backup')
  expect(searchGuide(guides.ru, 'СВЯЗКА секрет')[0]?.title).toBe('Секрет и связка ключей')
  expect(searchGuide(guides.en, 'no-such-word')).toEqual([])
  expect(searchGuide(guides.en, '')).toHaveLength(guides.en.length)
})

import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { expect, it } from 'vitest'

import type { Finding, FindingFacts } from '../../../packages/library/records/care-reports.ts'
import { cause } from '../../../packages/wire/cause.ts'
import { Findings } from '../../../src/renderer/features/health/findings.tsx'
import type { Language } from '../../../src/texts/catalogue.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'

const findingOf = (kind: Finding['kind'], facts: FindingFacts): Finding => ({
  kind,
  facts,
  file: null,
  usedBy: [],
  fixable: false,
  fixed: false,
})

/** The text of each finding as the window shows it. */
function shown(findings: readonly Finding[], language: Language): readonly string[] {
  const list = createElement(Findings, { findings })
  const html = renderToString(createElement(I18nextProvider, { i18n: createTexts(language) }, list))
  return html
    .split('<li')
    .slice(1)
    .map((item) => item.replace(/^[^>]*>/, '').replace(/<[^>]+>/g, ' '))
}

const findings = [
  findingOf('log_damaged', { code: 'entries', state: 'damaged', from: 5, upTo: 5 }),
  findingOf('log_damaged', { code: 'entries', state: 'missing_in_bucket', from: 5, upTo: 7 }),
  findingOf('index_differs', { code: 'rows_differ', table: 'blob', rows: 2 }),
  findingOf('index_damaged', { code: 'cause', reason: cause('disk_error') }),
  findingOf('reference_missing', { code: 'references', names: ['a.png', 'b.png'], all: 7 }),
  findingOf('file_missing', { code: 'file', inBucket: true, pieces: 1 }),
  findingOf('log_damaged', { code: 'marker', isMissing: true }),
  findingOf('log_altered', { code: 'line_ends', segments: 2 }),
]

it.each([
  [
    'en',
    [
      'Log entry 5: damaged',
      'Log entries 5 to 7: missing in the team’s bucket',
      '2 rows of the table blob differ',
      'the disk reported an error',
      'Missing files (7): a.png',
      'In the team’s bucket',
      'library.json is missing in the team’s bucket, so no computer can join',
      'In 2 files. No entry is lost.',
    ],
  ],
  [
    'ru',
    [
      'Запись журнала 5: данные повреждены',
      'Записи журнала 5–7: нет в бакете команды',
      'Таблица blob: расходятся 2 строки',
      'диск сообщил об ошибке',
      'Нет файлов (7): a.png',
      'В бакете команды',
      'В бакете команды нет library.json, поэтому подключиться нельзя',
      'В 2 файлах. Все записи целы.',
    ],
  ],
] as const)('what a check found is told in the language of the window: %s', (language, texts) => {
  const items = shown(findings, language)
  expect(items).toHaveLength(texts.length)
  for (const [at, text] of texts.entries()) expect(items[at]).toContain(text)
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import type { CareFailure } from '../../../packages/library/care/run.ts'
import { invalidTheme } from '../../../packages/library/records/failure.ts'
import { publishingDefaults } from '../../../packages/library/records/site-model-fields.ts'
import type { CallProblem } from '../../../packages/library/views/problem.ts'
import { checkTheme } from '../../../packages/sites/exporting/theme-check.ts'
import { cause } from '../../../packages/wire/cause.ts'
import { failureWords } from '../../../packages/wire/failure-words.ts'
import { problemIn } from '../../../src/renderer/i18n/problem-text.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'
import { noFiles } from '../../support/no-files.ts'
import { temporaryFolder } from '../../support/test-galley.ts'

/** The message in the window for failed library care. */
const told = (failure: CareFailure, language: 'en' | 'ru' = 'en'): string => problemIn(failure, createTexts(language))

it('a disk failure is reported with its cause, in the language of the window', () => {
  const failure = { code: 'file_failed', reason: cause('no_room') } as const
  expect(told(failure)).toContain('Galley couldn’t finish this: there is not enough space on the disk.')
  expect(told(failure, 'ru')).toContain('Не удалось завершить: на диске не хватает места.')
})

it('the text for a file that blocks a backup does not mention an export', () => {
  expect(told({ code: 'not_ours', state: 'backup' })).toMatch(/isn’t a Galley backup/)
  expect(told({ code: 'not_ours', state: 'in_library' })).toMatch(/^This location is in a Galley library/)
})

it('files still in use after a deletion do not hide that the versions were deleted', () => {
  expect(told({ code: 'busy', state: 'pruned' })).toMatch(/^The old versions were deleted/)
  expect(told({ code: 'busy' })).toMatch(/some unused files couldn’t be deleted yet/)
})

it.each([
  ['secrets_unavailable', 'secret_locked', /^The site was saved without its secret, because the keychain is locked/],
  ['secrets_unavailable', 'credentials_unavailable', /^The site was saved, but .* callback credentials/],
  ['secrets_unavailable', 'removal_locked', /^The site was not removed/],
  ['busy', 'exporting', /^Another export is writing to this destination/],
  ['cannot_listen', 'failed', /can’t start at this address/],
  ['cannot_listen', 'elsewhere', /^Another process is listening/],
  ['service_unreachable', 'cut', /may have created the session/],
  ['service_unreachable', 'unreadable', /isn’t valid HTTP.* may have created the session/],
  ['unexpected', 'midway', /Completed steps were kept/],
  ['cancelled', 'midway', /Completed steps were kept/],
] as const)('%s is worded for its case %s', (code, state, words) => {
  const problem: CallProblem = { code, state }
  expect(problemIn(problem, createTexts('en'))).toMatch(words)
})

it('a gateway that gave up says nothing about the session behind it', () => {
  const failure = { code: 'service_failed', status: 504 } as const
  expect(failureWords(failure)).toMatch(/504\. .* may have created the session/)
  expect(problemIn(failure, createTexts('en'))).toMatch(/504\. .* may have created the session/)
  expect(problemIn(failure, createTexts('ru'))).toMatch(/504\. .* мог создать сессию/)
})

const manifest = { 'theme.json': '{"name":"t","label":"T","version":"1"}' }

it.each([
  [{ 'page.txt': '' }, 'нет ни theme.json, ни шаблонов (*.html), ни style.css, ни папки assets/'],
  [{ 'page.html': '{{ content }}' }, 'theme.json: такого файла нет'],
  [{ 'theme.json': '{' }, 'theme.json, строка 1: это не JSON'],
  [
    { 'theme.json': '{"name":"T"}' },
    'theme.json, строка 1: name: допустимы только строчные латинские буквы, цифры и дефисы',
  ],
  [{ 'theme.json': '{"name":"t","label":"T","version":1}' }, 'строка 1: version: нужно значение типа string'],
  [{ 'page.html': 'no text', ...manifest }, 'page.html: в шаблоне нет {{ content }}.'],
  [{ 'page.html': "{% render 'lost.html' %}", ...manifest }, 'page.html, строка 1: нет файла lost.html'],
  [{ 'page.html': "{{ 'lost.png' | asset }}", ...manifest }, 'page.html, строка 1: нет файла assets/lost.png'],
  [{ 'page.html': "{% render 'page.html' %}", ...manifest }, 'файл включает сам себя, напрямую или через другие файлы'],
  // The engine has English messages only.
  [{ 'page.html': '{{ titel }}', ...manifest }, 'page.html, строка 1: undefined variable: titel'],
])('a mistake in a theme is told in the language of the window: %j', async (files, words) => {
  const folder = await temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const { problem } = await checkTheme({ sources: [folder], publishing: publishingDefaults }, noFiles)
  if (problem === null) throw new Error('no mistake was found')
  expect(problemIn(invalidTheme(problem), createTexts('ru'))).toContain(words)
})

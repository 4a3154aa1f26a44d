import { expect, it } from 'vitest'

import { createTexts, languageFor } from '../../src/texts/catalogue.ts'
import { en } from '../../src/texts/en.ts'
import { ru } from '../../src/texts/ru.ts'

/** Every text with its path; those of a plural under one path. */
function textsIn(tree: object, path = ''): readonly (readonly [string, string])[] {
  return Object.entries(tree).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string'
      ? [[path + key.replace(/_(?:one|few|many|other)$/, ''), value] as const]
      : textsIn(value as object, `${path}${key}.`),
  )
}

const variablesOf = (text: string): readonly string[] =>
  [...text.matchAll(/\{\{(\w+)(?:, number)?\}\}/g)].map(([, name]) => name ?? '').toSorted()

it('each Russian text has the same placeholders as its English one', () => {
  const english = new Map(textsIn(en).map(([path, text]) => [path, variablesOf(text)]))
  for (const [path, text] of textsIn(ru)) expect(variablesOf(text), path).toEqual(english.get(path))
})

it('no Russian text was left in English', () => {
  const english = new Map(textsIn(en))
  const same = textsIn(ru).filter(
    ([path, text]) => /[a-z]{2}/.test(text.replace(/\{\{[^}]*\}\}/g, '')) && english.get(path) === text,
  )
  // Names that are the same in both languages.
  const names = /^(?:(?:Basic|HTML|CSS|JSON|ID|HTTP|rc|rm|DEV|PROD|\{\{.*\}\})\W*)+$/i
  expect(same.filter(([, text]) => !names.test(text))).toEqual([])
})

it('Russian texts use Russian typography', () => {
  // Straight quotes, English quotes, a hyphen or an en dash for a dash, and a number sign that a line could end with.
  const foreign = /["“”]|(?<!\}\}) [-–] |№(?!\u00A0)/
  expect(textsIn(ru).filter(([, text]) => foreign.test(text))).toEqual([])
})

it.each([
  [1, 'Получен 1 колбэк'],
  [3, 'Получены 3 колбэка'],
  [5, 'Получено 5 колбэков'],
  [11, 'Получено 11 колбэков'],
  [21, 'Получен 21 колбэк'],
])('%d callbacks in Russian: %s', (count, text) =>
  expect(createTexts('ru').getFixedT('ru', 'callbacks')('arrived.several', { count })).toBe(text),
)

it('a language without a catalogue is English', () => {
  expect(languageFor('ru-KZ')).toBe('ru')
  expect(languageFor('de-AT')).toBe('en')
  expect(languageFor('')).toBe('en')
})

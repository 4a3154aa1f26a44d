import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

import { en } from '../../src/texts/en.ts'
import { ru } from '../../src/texts/ru.ts'

/** Every text with its key. */
function textsIn(tree: object, path = ''): readonly (readonly [string, string])[] {
  return Object.entries(tree).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string' ? [[path + key, value] as const] : textsIn(value as object, `${path}${key}.`),
  )
}

/** Search words of the palette are excluded: they are what people type, not what Galley says. */
const catalogue = (tree: object) => textsIn(tree).filter(([key]) => !key.startsWith('app.synonyms.'))
const [english, russian] = [catalogue(en), catalogue(ru)]

const page = readFileSync('docs/glossary.md', 'utf8')

/** The cells of the rows below a heading. */
const rowsUnder = (heading: string): readonly (readonly string[])[] =>
  (page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

const listed = (cell: string): readonly string[] => cell.split(',').map((phrase) => phrase.trim())

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Finds a phrase as whole words, in any case. */
const finding = (phrase: string): RegExp => {
  const words = phrase.split('…').map((part) => escaped(part.trim()))
  return new RegExp(String.raw`(?<!\p{L})${words.join('.*')}(?!\p{L})`, 'iu')
}

/** The texts that use a phrase, each with its key. */
const uses = (texts: typeof english, phrase: string): readonly string[] =>
  texts.filter(([, text]) => finding(phrase).test(text)).map(([key, text]) => `${key}: ${text}`)

/** Russian words are inflected, so each is looked for by its beginning. */
const isUsedInRussian = (term: string): boolean => {
  const stems = term.split(' ').map((word) => word.slice(0, Math.max(3, word.length - 3)))
  const pattern = new RegExp(stems.map((stem) => String.raw`(?<!\p{L})${escaped(stem)}\p{L}*`).join(' '), 'iu')
  return russian.some(([, text]) => pattern.test(text))
}

const terms = rowsUnder('Terms').map(([term = '', , russianTerm = '', avoided = '', avoidedInRussian = '']) => ({
  term,
  russianTerm,
  avoided: listed(avoided),
  avoidedInRussian: listed(avoidedInRussian),
}))

it('the page has its tables', () => {
  expect(terms.length).toBeGreaterThan(20)
  expect(rowsUnder('Patterns').length).toBeGreaterThan(8)
})

describe.each(terms)('$term', ({ term, russianTerm, avoided, avoidedInRussian }) => {
  it('matches the interface', () => {
    expect(uses(english, term.replace(/^(pause|resume) saves$/, '$1…saves')).length, term).toBeGreaterThan(0)
    expect(isUsedInRussian(russianTerm), russianTerm).toBe(true)
  })

  it('has one word', () => {
    expect(avoided.flatMap((phrase) => uses(english, phrase))).toEqual([])
    expect(avoidedInRussian.flatMap((phrase) => uses(russian, phrase))).toEqual([])
  })
})

it.each(rowsUnder('no text contains “%s”: %s'))('nothing says “%s”: %s', (phrases = '') =>
  expect(listed(phrases).flatMap((phrase) => uses(english, phrase))).toEqual([]),
)

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { hitsIn, termsOf, tokensOf } from '../../../packages/wire/text/words.ts'

const shown = (text: string, typed: string): readonly string[] =>
  [...hitsIn(text, termsOf(typed))].map(({ from, to }) => text.slice(from, to))

describe('words', () => {
  it.each([
    ['Galley™ ½ ©2026', 'galley 1 2 2026'],
    ['ﷺ', 'صلى لى ى الل لله له ه علي ليه يه ه وسل سلم لم م'],
    ['東京2020年', '東京 京 2020 年'],
    ['soft\u00ADhyphen क्\u200Dष', 'softhyphen क्ष'],
    ['', ''],
    ['!? — \u{1F600}', ''],
  ])('of %s', (text, tokens) => {
    expect(tokensOf(text).join(' ')).toBe(tokens)
  })

  it.each([
    ['Two passengers', 'passenger', ['passengers']],
    ['große Straße', 'gros stras', ['große', 'Straße']],
    ['ข้าวผัดไก่อร่อย', 'ไก่', ['ไก่']],
    ['排序 排序排', '排序', ['排序', '排序']],
    ['والخبز', 'خبز', ['خبز']],
    ['Чёрный за\u0301мок', 'замок', ['за\u0301мок']],
    ['東京東京', '東京 京東', ['東京', '東', '京']],
    ['ships', 'hips', []],
  ])('shows in %s what %s found', (text, typed, found) => {
    expect(shown(text, typed)).toEqual(found)
  })

  it('finds every beginning of a word, in any notation, and shows it', () => {
    const texts = fc.string({ unit: fc.constantFrom(...Array.from('aßёйıéがไก่दिलا東2 -\u0301\u0306')), maxLength: 12 })
    fc.assert(
      fc.property(texts, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), (text, form) => {
        const whole = text.normalize('NFC')
        const [typed] = termsOf(text.normalize(form))
        if (typed === undefined) return
        const tokens = ` ${tokensOf(whole).join(' ')}`
        expect(tokens).toContain(` ${typed.tokens.join(' ')}`)
        expect(shown(whole, text).length).toBeGreaterThan(0)
      }),
    )
  })
})

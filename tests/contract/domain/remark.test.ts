import { describe, expect, it } from 'vitest'

import type { RemarkCode } from '../../../src/contract/domain/remark.ts'
import { readRemark, remarkCodes, remarkSentence, remarkSentences } from '../../../src/contract/domain/remark.ts'

const withName = (code: RemarkCode): boolean => remarkSentences[code].includes('{{name}}')

describe('a sentence that an earlier Galley stored', () => {
  it.each(remarkCodes)('is read back: %s', (code) => {
    const name = withName(code) ? "a, which is not in $& {{name}}'s.png" : ''
    expect(readRemark(remarkSentence({ code, name }))).toEqual({ code, name })
  })

  it.each(remarkCodes.filter(withName))('is read back with an empty name, and with one of many lines: %s', (code) => {
    for (const name of ['', 'a\nb\u2028c', '$1'])
      expect(readRemark(remarkSentence({ code, name }))).toEqual({ code, name })
  })

  it.each([
    ['font_tree_unread', '', 'The font tree of the callback could not be read and is not answered.'],
    ['metadata_no_object', '', 'metadata_json.json holds no object and was not used.'],
    ['more', '12', 'There are 12 more such remarks.'],
  ])('is read back in its earlier words: %s', (code, name, sentence) =>
    expect(readRemark(sentence)).toEqual({ code, name }),
  )

  it('is unchanged if no code matches', () => {
    for (const sentence of ['The page refers to the sea.', '', 'The page is empty', ' The page is empty.']) {
      expect(readRemark(sentence)).toEqual({ code: 'as_written', name: sentence })
      expect(remarkSentence(readRemark(sentence))).toBe(sentence)
    }
  })
})

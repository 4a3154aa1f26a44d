import { describe, expect, it } from 'vitest'

import { isEmail, personOf } from '../../../packages/library/records/person.ts'

const ada = personOf('ada+x@example.test')

describe('a person in JSON', () => {
  it.each([
    ['{"user_email":"ada+x@example.test","user_ip":"203.0.113.9","a":1}', '{"a":1}'],
    ['{"a":{"user_email":"ADA+X@Example.test"},"b":2}', '{"a":{},"b":2}'],
    [String.raw`{"user_email":"ada+x\u0040example.test","b":2}`, '{"b":2}'],
    ['["ada+x@example.test", "x"]', '[null, "x"]'],
    ['{"by":"Ada <ada+x@example.test>"}', '{"by":"Ada <[erased]>"}'],
    ['{"url":"https://a.test/?u=ada%2Bx%40example.test&v=1"}', '{"url":"https://a.test/?u=[erased]&v=1"}'],
    ['{"ada+x@example.test":1,"b":2}', '{"b":2}'],
    // The IP address of another person stays.
    [
      '{"user_email":"ada+x@example.test","last":{"user_email":"bob@example.test","user_ip":"198.51.100.1"}}',
      '{"last":{"user_email":"bob@example.test","user_ip":"198.51.100.1"}}',
    ],
    ['{"user_email":"ada+x@example.test","session":{"user_ip":"203.0.113.9"}}', '{"session":{}}'],
    ['not JSON, by ada+x@example.test.', 'not JSON, by [erased].'],
  ])('is taken out of %s', (text, left) => {
    expect(ada.withoutInJson(text)).toBe(left)
  })

  it.each([
    '{"user_email":"bob@example.test"}',
    '{"a":"nada+x@example.test"}',
    '{"a":"ada+x@example.testing"}',
    '{"a":"ada+x@example.test.org"}',
  ])('is not %s', (text) => expect(ada.withoutInJson(text)).toBe(text))
})

it('is found by an address of any characters', () => {
  const characters = [...Array.from({ length: 94 }, (_, at) => String.fromCodePoint(33 + at)), 'ü', '😀'].filter(
    (character) => character !== '@',
  )
  for (const character of characters) {
    const email = `a${character}b@my${character}example.test`
    const { isIn, withoutIn } = personOf(email)
    expect(
      [isIn(`by ${email}.`), isIn(`by ${encodeURIComponent(email)}.`), isIn('by ab@myexample.test')],
      email,
    ).toEqual([true, true, false])
    expect(withoutIn(`by <${email}>`)).toBe('by <[erased]>')
  }
})

it('recognizes possible addresses', () => {
  expect(['a@b', 'ada', 'a b@c', 'a@b@c', '@b'].map(isEmail)).toEqual([true, false, false, false, false])
})

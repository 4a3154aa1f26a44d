import { expect, it } from 'vitest'

import { cause, causeSentence } from '../../packages/wire/cause.ts'

it('describes a cause with its inner causes, for any name', () => {
  const name = "a (b), $& {{why}}'s.png"
  const damaged = cause('damaged', { name, why: cause('bad_data') })
  expect(causeSentence(damaged)).toBe(`${name} is damaged: its compressed data is corrupt`)
  const state = cause('unreadable', {
    name: 'vms_json.json',
    why: cause('at_character', { why: cause('string_open'), name: 7 }),
  })
  expect(causeSentence(state)).toBe('vms_json.json cannot be read: a string is not closed (at character 7)')
})

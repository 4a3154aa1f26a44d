import { expect, it } from 'vitest'

import type { CauseCode } from '../../src/contract/cause.ts'
import { cause, causeSentences, readCause } from '../../src/contract/cause.ts'

it.each(Object.keys(causeSentences) as CauseCode[])('a logged sentence is read back: %s', (code) => {
  const sentence: string = causeSentences[code]
  const name = sentence.includes('{{name}}') ? "a (b), $& {{why}}'s.png" : ''
  const why = sentence.includes('{{why}}') ? cause('not_utf8') : ''
  expect(readCause(cause(code, { name, why }))).toEqual({ code, name, why })
})

it('what is no cause, and what another Galley wrote, is not taken for one', () => {
  expect(readCause('vms_media/hero.png')).toBeNull()
  expect(readCause('the service is asleep')).toBeNull()
  expect(readCause('')).toBeNull()
})

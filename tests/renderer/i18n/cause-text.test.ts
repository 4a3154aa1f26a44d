import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'

import { cause } from '../../../packages/wire/cause.ts'
import { useCauseText } from '../../../src/renderer/i18n/cause-text.tsx'
import { called } from '../support/called.ts'

it('only the words of others are marked as English', () => {
  const textOf = called(useCauseText, [])
  expect(textOf(cause('theme_lacks', { name: 'a.png' }))).toBe('there is no a.png')
  expect(renderToString(textOf(cause('theme_engine', { name: 'undefined filter: nope' })))).toBe(
    '<span lang="en">undefined filter: nope</span>',
  )
  expect(renderToString(textOf('the service is asleep'))).toBe('<span lang="en">the service is asleep</span>')
})

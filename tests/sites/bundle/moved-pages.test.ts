import { expect, test } from 'vitest'

import { movedPages } from '../../../packages/sites/bundle/moved-pages.ts'

const moved = (added: readonly string[], changed: readonly string[], ...formerPaths: readonly string[]) =>
  movedPages([{ path: 'new/index.html', formerPaths }], {
    isAdded: (path) => added.includes(path),
    isChanged: (path) => changed.includes(path),
  }).get('new/index.html')

test('a page moved when it is new on the target and its earlier file there becomes a redirect', () => {
  expect(moved(['new/index.html'], ['old/index.html'], 'old/index.html')).toBe('old/index.html')
  expect(moved(['new/index.html', 'old/index.html'], [], 'old/index.html'), 'never published there').toBe(undefined)
  expect(moved([], ['new/index.html', 'old/index.html'], 'old/index.html'), 'was there before').toBe(undefined)
  expect(moved(['new/index.html'], ['old/index.html']), 'the change of another page').toBe(undefined)
})

test('of several earlier addresses the last one counts', () => {
  const [last, first] = ['last/index.html', 'first/index.html']
  expect(moved(['new/index.html'], [first, last], last, first)).toBe(last)
  expect(moved(['new/index.html', last], [first], last, first), 'the target never had the last one').toBe(first)
})

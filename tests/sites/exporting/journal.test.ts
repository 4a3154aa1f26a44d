import { expect, it } from 'vitest'

import { journalText, readJournal } from '../../../packages/sites/exporting/journal.ts'

it('a journal reads back, and only whole', () => {
  const text = journalText(['a/index.html', 'index.html'])
  const paths = ['a/index.html', 'index.html']
  expect(readJournal(text)).toEqual({ owner: null, paths })
  expect(readJournal(journalText(paths, 'site'))).toEqual({ owner: 'site', paths })
  expect(readJournal(text.slice(0, -1))).toBeNull()
  expect(readJournal('notes of my own\n')).toBeNull()
  expect(readJournal(journalText(['../x']))).toBeNull()
})

import { expect, test } from 'vitest'

import { asText, authorMessage } from '../../../src/renderer/domain/back-to-writer.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'

const receivedAt = '2026-11-21T12:00:00Z'
const copied = (versionCdate: string) =>
  asText(
    authorMessage(
      createTexts('en'),
      'Story',
      {
        number: 3,
        versionCdate,
        receivedAt,
        verdict: { decision: 'changes_requested', reason: 'Too long', by: 'Ida', at: receivedAt, baseline: null },
      },
      { quotes: [], editLink: 'https://cms.example/edit/story', appLink: 'galley://show/acme/story/v3' },
    ),
  )

test.each([
  ['without an offset is in UTC', '2026-11-20T10:00:00', '2026-11-20T10:00:00Z'],
  ['may have its offset in hours alone', '2026-11-20T10:00:00+03', '2026-11-20T07:00:00Z'],
  ['that cannot be read gives way to the time of arrival', 'in the morning', receivedAt],
])('a date of the service %s', (_title, sent, meant) => {
  expect(copied(sent)).toBe(copied(meant))
})

test('a message ends with where to edit the page, and where to see it', () => {
  expect(copied(receivedAt).split('\n').slice(1)).toEqual([
    '',
    'Too long',
    '',
    'Edit: https://cms.example/edit/story',
    'See in Galley: galley://show/acme/story/v3',
  ])
})

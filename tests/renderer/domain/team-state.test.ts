import { expect, test } from 'vitest'

import type { TeamView } from '../../../packages/library/views/team.ts'
import { teamStateText } from '../../../src/renderer/domain/team-state.ts'
import { formatsIn } from '../../../src/renderer/i18n/formats.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'

const since = new Date(2026, 10, 20, 23, 50)
const view: TeamView = {
  bucket: 'team',
  prefix: '',
  endpoint: null,
  region: null,
  isReadOnly: false,
  probe: { at: '', requests: 22 },
  waiting: 0,
  undecided: 0,
  syncState: { kind: 'offline', since: since.toISOString(), why: { code: 'bucket_away' } },
}

test.each([
  ['the same day', new Date(2026, 10, 20, 23, 59), 'Offline since 23:50'],
  ['the next day', new Date(2026, 10, 21, 0, 5), 'Offline since 20 Nov, 23:50'],
  ['another year', new Date(2027, 0, 1), 'Offline since 20 Nov 2026, 23:50'],
])('says since when the team is offline, on %s', (_day, now, word) => {
  const t = createTexts('en').getFixedT('en', 'team')
  expect(teamStateText(view, t, formatsIn('en'), now.getTime())).toBe(word)
})

import { expect, it } from 'vitest'

import { retryAfterMs } from '../../../packages/platform/s3/bucket-answer.ts'

const now = new Date('2026-11-27T10:00:00.000Z')

it.each([
  ['nothing', undefined, 0],
  ['seconds', '3', 3000],
  ['a moment', 'Fri, 27 Nov 2026 10:00:04 GMT', 4000],
  ['a moment that is over', 'Fri, 27 Nov 2026 09:00:00 GMT', 0],
  ['an hour', '3600', 5000],
  ['a day', 'Sat, 28 Nov 2026 10:00:00 GMT', 5000],
  ['something else', 'later', 0],
])('a storage that asks for %s is left alone as long, within a limit', (_, header, ms) => {
  expect(retryAfterMs({ headers: header === undefined ? {} : { 'retry-after': header } }, now)).toBe(ms)
})

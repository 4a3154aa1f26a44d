import { describe, expect, it } from 'vitest'

import {
  dayAndMinute,
  duration,
  exactTime,
  fileSize,
  relativeTime,
  shortMoment,
} from '../../../src/renderer/i18n/format.ts'

const nowMs = Date.parse('2026-11-21T12:00:00Z')
const minute = 60_000
const at = (ms: number): string => new Date(nowMs + ms).toISOString()

describe('relative time', () => {
  it.each([
    [0, 'now'],
    [-59_000, 'now'],
    [-minute, '1 minute ago'],
    [-59.9 * minute, '59 minutes ago'],
    [-60 * minute, '1 hour ago'],
    [-24 * 60 * minute, 'yesterday'],
    [-8 * 24 * 60 * minute, 'last week'],
    [-400 * 24 * 60 * minute, 'last year'],
    [12 * 24 * 60 * minute, 'next week'],
    [3 * 24 * 60 * minute, 'in 3 days'],
  ])('%d ms away is %s', (ms, told) => expect(relativeTime(at(ms), nowMs, 'en-GB')).toBe(told))

  it('shows a time it cannot read as it stands', () => {
    expect(relativeTime('last Tuesday', nowMs, 'en-GB')).toBe('last Tuesday')
    expect(exactTime('last Tuesday', 'en-GB')).toBe('last Tuesday')
  })
})

describe('a moment in a column', () => {
  it('has its second this year, and its year otherwise', () => {
    expect(shortMoment('2026-06-03T10:00:07Z', nowMs, 'en-GB')).toMatch(/^3 Jun, \d\d:\d\d:07$/)
    expect(shortMoment('2025-06-03T10:00:07Z', nowMs, 'en-GB')).toBe('3 Jun 2025')
    expect(shortMoment('', nowMs, 'en-GB')).toBe('')
  })

  it('beside a relative time has its minute, and no year where now has the same', () => {
    expect(dayAndMinute('2026-06-03T10:07:00Z', 'en-GB', nowMs)).toMatch(/^3 Jun, \d\d:07$/)
    expect(dayAndMinute('2025-06-03T10:07:00Z', 'en-GB', nowMs)).toMatch(/^3 Jun 2025, \d\d:07$/)
    expect(dayAndMinute('2026-06-03T10:07:00Z', 'en-GB')).toMatch(/^3 Jun 2026, \d\d:07$/)
  })
})

describe('file size', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [1450, '1.5 kB'],
    [999_949, '1 MB'],
    [3_900_000, '3.9 MB'],
    [209_715_200, '210 MB'],
    [1_500_000_000, '1.5 GB'],
    [2_000_000_000_000_000, '2,000 TB'],
  ])('%d is %s', (bytes, told) => expect(fileSize(bytes, 'en-GB')).toBe(told))
})

describe('duration', () => {
  it.each([
    [0, '0 ms'],
    [0.44, '0.4 ms'],
    [412.4, '412 ms'],
    [1250, '1.3 secs'],
    [120_000, '2 mins'],
  ])('%d ms is %s', (ms, told) => expect(duration(ms, 'en-GB')).toBe(told))
})

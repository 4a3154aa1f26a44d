import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  dayAndMinute,
  duration,
  exactTime,
  fileSize,
  percent,
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
    [-8 * 24 * 60 * minute, '1 week ago'],
    [-400 * 24 * 60 * minute, '1 year ago'],
    [12 * 24 * 60 * minute, 'in 1 week'],
    [3 * 24 * 60 * minute, 'in 3 days'],
  ])('%d ms away is %s', (ms, told) => expect(relativeTime(at(ms), nowMs, 'en-GB')).toBe(told))

  it('counts days as the calendar does', () => {
    const noon = new Date(2026, 10, 21, 12).getTime()
    const told = (...moment: [number, number, number, number]) =>
      relativeTime(new Date(...moment).toISOString(), noon, 'en-GB')
    expect([told(2026, 10, 20, 1), told(2026, 10, 19, 23), told(2026, 10, 22, 23), told(2026, 10, 23, 1)]).toEqual([
      'yesterday',
      '2 days ago',
      'tomorrow',
      'in 2 days',
    ])
  })

  it('returns an invalid time unchanged', () => {
    expect(relativeTime('last Tuesday', nowMs, 'en-GB')).toBe('last Tuesday')
    expect(exactTime('last Tuesday', 'en-GB')).toBe('last Tuesday')
  })
})

describe('a time in a column', () => {
  it('shows seconds this year, and the year otherwise', () => {
    expect(shortMoment('2026-06-03T10:00:07Z', nowMs, 'en-GB')).toMatch(/^3 Jun, \d\d:\d\d:07$/)
    expect(shortMoment('2025-06-03T10:00:07Z', nowMs, 'en-GB')).toBe('3 Jun 2025')
    expect(shortMoment('', nowMs, 'en-GB')).toBe('')
  })

  it('beside a relative time shows minutes, and no year if it is the current one', () => {
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
    [0, '<1 ms', '<1 мс'],
    [0.96, '<1 ms', '<1 мс'],
    [1, '1 ms', '1 мс'],
    [1.5, '2 ms', '2 мс'],
    [412.4, '412 ms', '412 мс'],
    [999.6, '1.0 secs', '1,0 с'],
    [1250, '1.3 secs', '1,3 с'],
    [9949, '9.9 secs', '9,9 с'],
    [9950, '10 secs', '10 с'],
    [30_000, '30 secs', '30 с'],
    [59_600, '1 min', '1 мин'],
    [120_000, '2 mins', '2 мин'],
  ])('%d ms is %s', (ms, english, russian) => {
    expect(duration(ms, 'en-GB')).toBe(english)
    expect(duration(ms, 'ru-RU').replaceAll('\u00A0', ' ')).toBe(russian)
  })

  const inMs = { ms: 1, мс: 1, sec: 1000, secs: 1000, с: 1000, min: 60_000, mins: 60_000, мин: 60_000 } as const

  /** The numbers in a formatted duration, and their total. */
  function readBack(written: string): { readonly figures: string; readonly ms: number } {
    const [, figures = '', unit = ''] = /^<?([\d.,]+)\s(\p{L}+)/u.exec(written) ?? []
    return { figures, ms: Number(figures.replace(',', '.')) * inMs[unit as keyof typeof inMs] }
  }

  const anyTime = fc.double({ min: 0, max: 59 * 60_000, noNaN: true })

  it.each(['en-GB', 'ru-RU'])('is rounded by one rule in %s, and never far off', (locale) => {
    fc.assert(
      fc.property(fc.oneof(anyTime, fc.double({ min: 0, max: 20_000, noNaN: true })), (ms) => {
        const told = readBack(duration(ms, locale))
        // At most three figures, none of them a leading zero, and a part of a second only below ten.
        expect(told.figures).toMatch(/^[1-9](?:[.,]\d|\d{0,2})$/)
        expect(/[.,]/.test(told.figures)).toBe(told.ms >= 1000 && told.ms < 10_000)
        if (ms >= 1) expect(Math.abs(told.ms - ms)).toBeLessThanOrEqual(ms / 2)
      }),
    )
  })

  it('never shows a longer time as shorter', () => {
    fc.assert(
      fc.property(anyTime, anyTime, (one, other) => {
        const [shorter, longer] = [Math.min(one, other), Math.max(one, other)]
        const told = (ms: number): number => readBack(duration(ms, 'en-GB')).ms
        expect(told(shorter)).toBeLessThanOrEqual(told(longer))
      }),
    )
  })
})

describe('a share', () => {
  it.each([
    [0, '0%'],
    [0.0004, '<1%'],
    [0.0049, '<1%'],
    [0.005, '1%'],
    [0.42, '42%'],
    [1, '100%'],
  ])('of %d is %s', (share, told) => expect(percent(share, 'en-GB')).toBe(told))
})

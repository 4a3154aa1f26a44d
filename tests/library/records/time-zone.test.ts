import { describe, expect, it } from 'vitest'

import { readTimeZone, timeZone } from '../../../packages/library/records/time-zone.ts'

describe('the name of a time zone', () => {
  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    [' america/new_york ', 'America/New_York'],
    // The name of a place counts, not what the computer calls it.
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Europe/Kyiv', 'Europe/Kyiv'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
    ['utc', 'UTC'],
    ['+03:00', null],
    ['Europe/Atlantis', null],
    ['Europe', null],
    ['../UTC', null],
    ['', null],
    ['x'.repeat(100), null],
  ])('%j is %j', (text, name) => {
    expect(readTimeZone(text)).toBe(name)
  })
})

describe('the wall time of a moment, and the moment of a wall time', () => {
  it.each([
    ['America/New_York', '2026-05-02T00:30:00.000Z', '2026-05-01T20:30:00.000'],
    ['Europe/Moscow', '2026-04-30T21:30:00.000Z', '2026-05-01T00:30:00.000'],
    ['Asia/Kathmandu', '2026-01-01T00:00:00.000Z', '2026-01-01T05:45:00.000'],
    ['Pacific/Kiritimati', '2026-01-01T00:00:00.000Z', '2026-01-01T14:00:00.000'],
    // Before time zones there was local mean time.
    ['Europe/Berlin', '1850-06-01T00:00:00.000Z', '1850-06-01T00:53:28.000'],
    ['Asia/Nowhere', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000'],
  ])('in %s: %s is %s', (name, moment, wall) => {
    const zone = timeZone(name)
    expect(zone.wallOf(moment)).toBe(wall)
    expect(zone.dayOf(moment)).toBe(wall.slice(0, 10))
    expect(zone.momentOf(wall)).toBe(moment)
  })

  it.each([
    // Clocks go forward: as long after the change as it would have been.
    ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30:00.000Z'],
    ['Africa/Cairo', '2026-04-24T00:00', '2026-04-23T22:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45:00.000Z'],
    // A day that was left out.
    ['Pacific/Apia', '2011-12-30T12:00', '2011-12-30T22:00:00.000Z'],
    // Clocks go back: the first of two times.
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ])('in %s, %s is %s', (name, wall, moment) => {
    expect(timeZone(name).momentOf(wall)).toBe(moment)
  })

  it.each(['+999999-01-01T00:00:00.000Z', '+275760-09-13T00:00:00.000Z', '2026-99-99T00:00:00.000Z'])(
    'ends nothing for %s, which a log may have',
    (moment) => {
      const zone = timeZone('Asia/Tokyo')
      expect(zone.dayOf(moment)).toBe(moment.split('T')[0])
      expect(zone.momentOf('2026-99-99')).toBe(null)
    },
  )
})

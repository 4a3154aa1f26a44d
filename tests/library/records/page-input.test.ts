import { expect, it } from 'vitest'

import { readLanguage, readMoment } from '../../../packages/library/records/page-input.ts'
import { timeZone } from '../../../packages/library/records/time-zone.ts'

it.each([
  ['2026-05-01', '2026-05-01T00:00:00.000Z'],
  ['2026-05-01T10:20', '2026-05-01T10:20:00.000Z'],
  [' 2026-05-01 10:20:30 ', '2026-05-01T10:20:30.000Z'],
  ['2026-05-01T00:20:30+02:00', '2026-04-30T22:20:30.000Z'],
  ['2026-05-01T10:20:30.123456z', '2026-05-01T10:20:30.123Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2026-02-29', null],
  ['2026-02-30T10:00Z', null],
  ['2026-13-01', null],
  ['2026-05-01T25:00', null],
  ['2026', null],
  ['yesterday', null],
  ['', null],
])('the moment %j is %s in UTC', (text, moment) => {
  expect(readMoment(text)?.(timeZone('UTC')) ?? null).toBe(moment)
})

it.each([
  ['2026-05-01', '2026-05-01T04:00:00.000Z'],
  ['2026-05-01T20:30', '2026-05-02T00:30:00.000Z'],
  ['2026-05-01T20:30Z', '2026-05-01T20:30:00.000Z'],
  ['2026-05-01T00:30:00+03:00', '2026-04-30T21:30:00.000Z'],
])('%j is %s for a site in New York', (text, moment) => {
  expect(readMoment(text)?.(timeZone('America/New_York'))).toBe(moment)
})

it.each([
  ['en', 'en'],
  ['pt-br', 'pt-BR'],
  [' zh-hant-TW ', 'zh-Hant-TW'],
  ['not a language', null],
  ['x_y', null],
  ['', null],
])('the language %j is %s', (text, language) => {
  expect(readLanguage(text)).toBe(language)
})

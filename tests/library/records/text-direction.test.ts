import { expect, it } from 'vitest'

import { textDirection } from '../../../packages/library/records/text-direction.ts'

it.each(['ar', 'he', 'iw', 'fa', 'ur-PK', 'yi', 'ps', 'sd', 'ug', 'dv', 'ckb', 'ku-Arab', 'az-Arab', 'AR-eg'])(
  '%s is written from right to left',
  (language) => expect(textDirection(language)).toBe('rtl'),
)
it.each(['en', 'ku', 'uz', 'az', 'ja', 'ar-Latn', 'not a language', ''])('%s from left to right', (language) =>
  expect(textDirection(language)).toBe('ltr'),
)

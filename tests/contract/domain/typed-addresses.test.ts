import { expect, test } from 'vitest'
import { z } from 'zod'

import { pageFields, publishingFields, typedFields } from '../../../src/contract/domain/site-model-fields.ts'
import { targetSettings, typedSettings } from '../../../src/contract/domain/target.ts'

test('a URL with a password is read from logs of earlier versions, and taken from no one', () => {
  const url = 'https://:password@example.org'
  const place = { kind: 's3', bucket: 'web', prefix: '', endpoint: null, region: null }
  const target = { place, publicUrl: null, compress: false, schedule: null }
  const page = { canonical: url, menu: [{ label: 'Home', target: { url } }] }
  const stored = z.object({ canonical: pageFields.canonical, menu: publishingFields.menu })
  for (const [logged, typed, value] of [
    [targetSettings, typedSettings, { ...target, publicUrl: url }],
    [targetSettings, typedSettings, { ...target, place: { ...place, endpoint: url } }],
    [stored, z.object({ ...stored.shape, canonical: typedFields.canonical }), page],
    [stored, z.object({ ...stored.shape, menu: typedFields.menu }), page],
  ] as const)
    expect([logged.safeParse(value).success, typed.safeParse(value).success]).toEqual([true, false])
  for (const wrong of ['/', 'x', 'https://', 5, undefined])
    expect(typedSettings.safeParse({ ...target, place: { ...place, endpoint: wrong }, publicUrl: wrong }).success).toBe(
      false,
    )
  expect(typedSettings.safeParse({ ...target, publicUrl: 'https://example.org/' })).toMatchObject({
    data: { publicUrl: 'https://example.org' },
  })
})

import { expect, test } from 'vitest'
import { z } from 'zod'

import { pageFields, publishingFields } from '../../../packages/library/records/site-model-fields.ts'
import { targetSettings } from '../../../packages/library/records/target.ts'

test('a URL with a user name or a password is taken from no one, neither a person nor a log', () => {
  const place = { kind: 's3', bucket: 'web', prefix: '', endpoint: null, region: null }
  const target = { place, publicUrl: null, compress: false, schedule: null }
  const page = z.object({ canonical: pageFields.canonical.type })
  const menu = z.object({ menu: publishingFields.menu.type })
  const withUrl = (url: unknown) =>
    [
      [targetSettings, { ...target, publicUrl: url }],
      [targetSettings, { ...target, place: { ...place, endpoint: url } }],
      [page, { canonical: url }],
      [menu, { menu: [{ label: 'Home', target: { url } }] }],
    ] as const
  for (const [schema, value] of withUrl('https://example.org/x')) expect(schema.safeParse(value).success).toBe(true)
  for (const url of ['https://:password@example.org', 'https://user@example.org', 'https://', 5, undefined])
    for (const [schema, value] of withUrl(url)) expect(schema.safeParse(value).success, String(url)).toBe(false)
  expect(targetSettings.safeParse({ ...target, publicUrl: 'https://example.org/' })).toMatchObject({
    data: { publicUrl: 'https://example.org' },
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'

import type { Linked } from '../../../packages/library/records/app-link.ts'
import { appLink, readAppLink } from '../../../packages/library/records/app-link.ts'

/** Every id but those of dots, which browsers take for folders. */
const id = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' })
const site = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/)
const linked: fc.Arbitrary<Linked> = fc.oneof(
  fc.record({ site, materialId: id, versionId: fc.option(id) }),
  fc.record({ site, materialId: fc.constant(null), versionId: fc.constant(null) }),
  fc.record({ callbackId: id }),
)

test('a link names what it was made of, also after a browser has read it', () => {
  fc.assert(
    fc.property(linked, (made) => {
      const link = appLink(made)
      expect(link).toMatch(/^[!-~]+$/)
      expect(readAppLink(link)).toEqual(made)
      const isOfDots = /\/\.{1,2}(?:\/|$)/.test(link)
      fc.pre(!isOfDots)
      expect(readAppLink(new URL(link).href)).toEqual(made)
    }),
  )
})

test('links are what a person expects', () => {
  expect(appLink({ site: 'acme', materialId: 'post/one two', versionId: null })).toBe(
    'galley://show/acme/post%2Fone%20two',
  )
  expect(readAppLink('GALLEY://show/acme/')).toEqual({ site: 'acme', materialId: null, versionId: null })
  expect(readAppLink('galley://show-callback/7')).toEqual({ callbackId: '7' })
})

test.each([
  'galley://show',
  'galley://show/',
  'galley://show//material',
  'galley://show/acme//version',
  'galley://show/a/b/c/d',
  'galley://show/..%2Fetc',
  'galley://show/acme/%',
  'galley://show/acme/%ff',
  'galley://show/acme?do=publish',
  'galley://show/acme/post#now',
  'galley://show-callback/7/8',
  'galley://publish/acme',
  'galley:show/acme',
  'https://show/acme',
  ' galley://show/acme',
  `galley://show/acme/${'a'.repeat(30_000)}`,
])('%s is no link', (text) => {
  expect(readAppLink(text)).toBeNull()
})

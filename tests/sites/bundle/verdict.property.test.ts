import fc from 'fast-check'
import { expect, test } from 'vitest'

import { relativeUrl } from '../../../packages/library/records/paths.ts'
import { addressOf, createJudge } from '../../../packages/sites/bundle/verdict.ts'

const paths = ['index.html', 'a/index.html', 'a/b/index.html', 'b/c.png', 'feed.xml', 'b.c/index.html', '404.html']
const judge = createJudge({ paths: new Set(paths), inertPaths: new Set(['b/c.png']), baseUrl: null, publicBases: [] })

const segment = fc.constantFrom(
  '..',
  '..',
  '.',
  'a',
  'b',
  'c.png',
  'index.html',
  'b.c',
  'dummy-x',
  '',
  '...',
  'a%62',
  'A',
  'x:y',
)
const ref = fc.array(segment, { maxLength: 5 }).map((parts) => parts.join('/')) // prettier-ignore
const from = fc.oneof(
  fc.constantFrom(...paths).map(addressOf),
  fc.constantFrom('a/?b', 'a/#b/c', '../../x', '..', 'a//b/', '/', 'https://a.example/').map((base) => new URL(base, addressOf('a/index.html')).href),
) // prettier-ignore

test('a plain reference is judged like the same reference written so that only a URL can resolve it', () => {
  let fine = 0
  fc.assert(
    fc.property(ref, from, (given, base) => {
      fc.pre(given !== '' && !given.startsWith('/'))
      const found = judge({ ref: given, kind: 'link' }, base)
      // A tab, which URLs ignore, makes it a reference that is not plain.
      expect(found).toEqual(judge({ ref: `${given}\t`, kind: 'link' }, base))
      fine += Number(found !== 'elsewhere' && found.code === 'fine')
    }),
    { numRuns: 20_000 },
  )
  expect(fine).toBeGreaterThan(1000)
})

test('the relative URL between two files leads from one to the other', () => {
  const path = fc.array(fc.constantFrom('a', 'b', 'ab', 'a-b'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  fc.assert(
    fc.property(path, path, (one, other) => {
      const url = relativeUrl(one, other)
      expect(new URL(url, addressOf(one)).href).toBe(addressOf(other))
      // It goes up only where the files have no folder in common.
      const [up = '', down] = [/^(?:\.\.\/)*/.exec(url)?.[0], url.replace(/^(?:\.\.\/)*/, '')]
      const folders = one.split('/').slice(0, -1)
      const next = folders[folders.length - up.length / 3]
      expect(up !== '' && down.includes('/') && next === down.split('/')[0]).toBe(false)
    }),
    { numRuns: 5000 },
  )
}) // prettier-ignore

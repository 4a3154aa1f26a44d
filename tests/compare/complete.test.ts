import fc from 'fast-check'
import { expect, it } from 'vitest'

import type { Change } from '../../packages/compare/index.ts'
import { changesOf, readPage } from '../../packages/compare/index.ts'
import type { Planned } from './planted.ts'
import { aPage, html } from './planted.ts'

// What holds for any two pages, however much differs.

const asIs = () => null
const read = (blocks: readonly Planned[]) => readPage(html(blocks), asIs)

/** Two pages that share some blocks in any order, some of them with other texts, and have others of their own. */
const twoPages = fc
  .tuple(aPage, aPage)
  .chain(([{ blocks: one }, { blocks: other }]) =>
    fc.tuple(
      fc.constant(one),
      fc.shuffledSubarray([...one, ...other], { minLength: 4 }),
      fc.array(fc.tuple(fc.nat(100), fc.constantFrom(' new', ' 新', ' 12.', '')), { maxLength: 8 }),
    ),
  )
  .map(([one, mixed, edits]) => {
    const other = [...mixed]
    for (const [where, added] of edits) {
      const at = where % other.length
      const block = other[at]
      if (block !== undefined) other[at] = { ...block, texts: block.texts.map((text) => text.slice(0, 40) + added) }
    }
    return { one, other }
  })

const texts = (blocks: readonly { readonly text: string }[]): readonly string[] =>
  blocks.flatMap(({ text }) => (text === '' ? [] : text))

/** The texts without those that changed, each as often as it is left. */
function unchanged(all: readonly string[], changed: readonly string[]): readonly string[] {
  const left = [...all]
  for (const text of changed) {
    const at = left.indexOf(text)
    expect(at, `a change has a text that is not in the page: ${text}`).not.toBe(-1)
    left.splice(at, 1)
  }
  return left.toSorted()
}

const ofText = ({ kind }: Change): boolean => ['inserted', 'removed', 'edited', 'split', 'joined'].includes(kind)
const sides = (changes: readonly Change[], side: 'before' | 'after', parted: 'split' | 'joined'): readonly string[] =>
  changes
    .filter(ofText)
    .flatMap((change) => {
      const text = change[side] ?? ''
      return change.kind === parted ? text.split('\n') : [text]
    })
    .filter((text) => text !== '' && !/^p\d+\.jpg$/.test(text))

it('every text is in both pages or in a change', () => {
  fc.assert(
    fc.property(twoPages, ({ one, other }) => {
      const [before, after] = [read(one), read(other)]
      const changes = changesOf(before, after)
      expect(unchanged(texts(before.blocks), sides(changes, 'before', 'joined'))).toStrictEqual(
        unchanged(texts(after.blocks), sides(changes, 'after', 'split')),
      )
    }),
    { numRuns: 200 },
  )
})

it('an edited text without what was taken and added is the same', () => {
  const without = (text: string, ranges: Change['addedRanges']): string => {
    let left = ''
    let done = 0
    for (const [from, to] of ranges) {
      expect(from).toBeGreaterThanOrEqual(done)
      left += text.slice(done, from)
      done = to
    }
    return (left + text.slice(done)).replace(/\s+/g, '')
  }
  fc.assert(
    fc.property(twoPages, ({ one, other }) => {
      for (const { kind, before, after, removedRanges, addedRanges } of changesOf(read(one), read(other)))
        if (['edited', 'split', 'joined'].includes(kind))
          expect(without(before ?? '', removedRanges)).toBe(without(after ?? '', addedRanges))
    }),
    { numRuns: 200 },
  )
})

it.each([1, 7, 400])(
  'pages of thousands of texts without a common one end, with all of them: %i words each',
  (words) => {
    const page = (name: string, count: number): string =>
      Array.from({ length: count }, (_, at) => `<p>${`${name} `.repeat(words)}${at % 3}`).join('')
    const count = Math.ceil(20_000 / words)
    const changes = changesOf(readPage(page('one', count), asIs), readPage(page('other', count), asIs))
    expect(changes.filter(({ before }) => before !== null)).toHaveLength(count)
    expect(changes.filter(({ after }) => after !== null)).toHaveLength(count)
  },
)

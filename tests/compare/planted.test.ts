import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Change, ChangeKind } from '../../packages/compare/index.ts'
import { changesOf, readPage } from '../../packages/compare/index.ts'
import type { Planned } from './planted.ts'
import { aPage, html, sentence } from './planted.ts'

const asIs = () => null
const between = (before: readonly Planned[], after: readonly Planned[]): readonly Change[] =>
  changesOf(readPage(html(before), asIs), readPage(html(after), asIs))

const mirrored: Partial<Record<ChangeKind, ChangeKind>> = {
  inserted: 'removed',
  removed: 'inserted',
  split: 'joined',
  joined: 'split',
}

/** An edit of a page, with what has to be found of it. */
interface Plant {
  readonly before: readonly Planned[]
  readonly after: readonly Planned[]
  readonly kinds: readonly ChangeKind[]
  /** Texts of which a mark has to have one in its own; what has none is elsewhere. */
  readonly texts: readonly string[]
}

/** Marks elsewhere, and all, of every planted edit. */
const counted = { elsewhere: 0, all: 0 }

function judge({ before, after, kinds, texts }: Plant): void {
  const found = between(before, after)
  const isPlanted = ({ before, after }: Change): boolean =>
    texts.some((text) => [before, after].some((side) => side?.includes(text)))
  for (const text of texts)
    expect(
      found.some(
        (change) =>
          kinds.includes(change.kind) &&
          [change.before, change.after].some((side) => side !== null && side.includes(text)),
      ),
      `${kinds.join(' or ')}: ${text}\n${JSON.stringify(found, null, 1)}`,
    ).toBe(true)
  const elsewhere = found.filter((change) => !isPlanted(change))
  counted.elsewhere += elsewhere.length
  counted.all += found.length
  const back = between(after, before)
  expect(back.map(({ kind }) => mirrored[kind] ?? kind).toSorted()).toStrictEqual(
    found.map(({ kind }) => kind).toSorted(),
  )
}

const planted = aPage.chain(({ script, blocks }) =>
  fc.record({
    script: fc.constant(script),
    blocks: fc.constant(blocks),
    at: fc.nat(blocks.length - 1),
    to: fc.nat(blocks.length - 1),
    word: fc.nat(1000),
    text: sentence(script, 8, 30),
  }),
)
type Case = typeof planted extends fc.Arbitrary<infer Value> ? Value : never

const withBlock = (blocks: readonly Planned[], at: number, change: Partial<Planned>): readonly Planned[] =>
  blocks.map((each, order) => (order === at ? { ...each, ...change } : each))
const paragraph = (text: string): Planned => ({ kind: 'paragraph', texts: [text], style: '', picture: '' })
const kindAt = ({ blocks, at }: Case): Planned['kind'] => blocks[at]?.kind ?? 'paragraph'
const textsAt = ({ blocks, at }: Case): readonly string[] => blocks[at]?.texts ?? []
const isPlain = (kind: Planned['kind']): boolean => kind === 'paragraph' || kind === 'heading'

const severals = { elsewhere: 0, all: 0 }
const again = paragraph('Read more')
const rule = paragraph('')
const runs = { numRuns: 150 }

describe('a planted change is found, and nearly nothing else', () => {
  it('in equal pages: nothing', () => {
    fc.assert(
      fc.property(aPage, ({ blocks }) => {
        expect(between(blocks, blocks)).toStrictEqual([])
      }),
      runs,
    )
  })

  const plants: readonly (readonly [string, (given: Case) => Plant | null])[] = [
    [
      'inserted',
      ({ blocks, at, text }) => ({
        before: blocks,
        after: blocks.toSpliced(at, 0, paragraph(text)),
        kinds: ['inserted'],
        texts: [text],
      }),
    ],
    [
      'removed',
      (given) => ({
        before: given.blocks,
        after: given.blocks.toSpliced(given.at, 1),
        kinds: ['removed'],
        texts: textsAt(given),
      }),
    ],
    [
      'moved',
      (given) => {
        const { blocks, at, to } = given
        // Of two neighbours that change places, either one moved; and a list is many blocks, of which the others may have moved.
        if (!isPlain(kindAt(given)) || Math.abs(at - to) < 2) return null
        const others = blocks.toSpliced(at, 1)
        return {
          before: blocks,
          after: others.toSpliced(to, 0, ...blocks.slice(at, at + 1)),
          kinds: ['moved'],
          texts: textsAt(given),
        }
      },
    ],
    [
      'edited',
      (given) => {
        const [text = ''] = textsAt(given)
        if (kindAt(given) !== 'paragraph') return null
        const after = text.replace(/(\d+)/, '$1 новый new 新')
        return {
          before: given.blocks,
          after: withBlock(given.blocks, given.at, { texts: [after] }),
          kinds: ['edited'],
          texts: [after],
        }
      },
    ],
    [
      'an item or cell edited',
      (given) => {
        const texts = textsAt(given)
        const which = given.word % Math.max(1, texts.length)
        if (!['list', 'table', 'box'].includes(kindAt(given))) return null
        const after = `${texts[which] ?? ''} новый`
        return {
          before: given.blocks,
          after: withBlock(given.blocks, given.at, { texts: texts.with(which, after) }),
          kinds: ['edited'],
          texts: [after],
        }
      },
    ],
    [
      'picture replaced',
      (given) =>
        kindAt(given) !== 'figure'
          ? null
          : {
              before: given.blocks,
              after: withBlock(given.blocks, given.at, { picture: 'media/replaced.png' }),
              kinds: ['picture'],
              texts: ['replaced.png'],
            },
    ],
    [
      'split',
      (given) => {
        const [text = ''] = textsAt(given)
        const middle = Math.floor(text.length / 2)
        const cut = given.script === 3 ? middle : text.indexOf(' ', middle)
        if (kindAt(given) !== 'paragraph' || cut < 1 || given.script === 3) return null
        const parts = [text.slice(0, cut), text.slice(cut + 1)]
        return {
          before: given.blocks,
          after: given.blocks.toSpliced(given.at, 1, ...parts.map(paragraph)),
          kinds: ['split'],
          texts: [text],
        }
      },
    ],
    [
      'joined',
      ({ blocks, at, text }) => {
        const [one, other] = [text, text.split('').toReversed().join('')]
        return {
          before: blocks.toSpliced(at, 0, paragraph(one), paragraph(other)),
          after: blocks.toSpliced(at, 0, paragraph(`${one} ${other}`)),
          kinds: ['joined'],
          texts: [`${one} ${other}`],
        }
      },
    ],
    [
      'recolored',
      (given) =>
        !isPlain(kindAt(given))
          ? null
          : {
              before: given.blocks,
              after: withBlock(given.blocks, given.at, { style: ' style="color: #c00"' }),
              kinds: ['style'],
              texts: textsAt(given),
            },
    ],
    [
      'moved and edited',
      (given) => {
        const { blocks, at, to } = given
        const [text = ''] = textsAt(given)
        if (kindAt(given) !== 'paragraph' || Math.abs(at - to) < 2 || text.length < 80) return null
        const after = paragraph(`${text} new`)
        return {
          before: blocks,
          after: blocks.toSpliced(at, 1).toSpliced(to, 0, after),
          kinds: ['moved'],
          texts: [after.texts[0] ?? ''],
        }
      },
    ],
  ]
  it.each(plants)('%s', (_, plant) => {
    fc.assert(
      fc.property(planted, (given) => {
        const made = plant(given)
        fc.pre(made !== null)
        if (made !== null) judge(made)
      }),
      runs,
    )
  })

  it('several at once, also beside each other and among equal blocks', () => {
    fc.assert(
      fc.property(
        planted,
        fc.array(fc.tuple(fc.nat(5), fc.nat(1000)), { minLength: 2, maxLength: 6 }),
        (given, edits) => {
          const repeated = given.blocks.flatMap((each, order) => (order % 5 === 2 ? [each, again, rule] : [each]))
          let after: readonly Planned[] = repeated
          const texts: string[] = []
          const used = new Set<string>()
          for (const [kind, where] of edits) {
            const at = where % after.length
            const block = after[at] ?? again
            const [text = ''] = block.texts
            if (block === again || block === rule || used.has(text)) continue
            used.add(text)
            if (kind === 0) {
              texts.push(`${given.text} ${where}`)
              used.add(`${given.text} ${where}`)
              after = after.toSpliced(at, 0, paragraph(`${given.text} ${where}`))
            } else if (kind === 1) {
              texts.push(...block.texts)
              after = after.toSpliced(at, 1)
            } else if (kind === 2) {
              texts.push(`${text} new`)
              used.add(`${text} new`)
              after = withBlock(after, at, { texts: block.texts.with(0, `${text} new`) })
            } else if (kind === 3 && isPlain(block.kind)) {
              texts.push(text)
              after = withBlock(after, at, { style: ' class="other"' })
            } else if (kind === 4 && isPlain(block.kind)) {
              texts.push(...block.texts)
              after = after.toSpliced(at, 1).toSpliced((at * 7) % after.length, 0, block)
            }
          }
          const found = between(repeated, after)
          const elsewhere = found.filter(
            ({ before, after }) => !texts.some((text) => [before, after].some((side) => side?.includes(text))),
          )
          severals.elsewhere += elsewhere.length
          severals.all += found.length
          // A block that moved past its neighbours is also one past which they moved.
          const missing = texts.filter(
            (text) => !found.some(({ before, after }) => [before, after].some((side) => side?.includes(text))),
          )
          if (!edits.some(([kind]) => kind === 4)) expect(missing).toStrictEqual([])
        },
      ),
      runs,
    )
    expect(severals.elsewhere / severals.all).toBeLessThanOrEqual(0.05)
  })

  it('with at most 1 mark in 20 elsewhere', () => {
    expect(counted.all).toBeGreaterThan(1000)
    expect(counted.elsewhere / counted.all).toBeLessThanOrEqual(0.05)
  })
})

import { randomFrom } from '../support/random.ts'
import { vocabularies } from './planted.ts'

// A page whose every word is known by itself, so that after an edit nobody has to search where a word went.

/** A word of a page. `of`: the word that it replaced; `copyOf`: the one that was copied to a new place. */
interface Word {
  readonly text: string
  readonly of: Word | null
  readonly copyOf?: Word
}
type Block = readonly Word[]
type Edit =
  | 'nothing'
  | 'around'
  | 'inside'
  | 'inserted inside'
  | 'replaced'
  | 'deleted'
  | 'removed'
  | 'moved'
  | 'cut before'
  | 'cut inside'
  | 'joined'
  | 'carried away'
const edits: readonly Edit[] = [
  'nothing',
  'around',
  'inside',
  'inserted inside',
  'replaced',
  'deleted',
  'removed',
  'moved',
  'cut before',
  'cut inside',
  'joined',
  'carried away',
]

export interface Planted {
  readonly edit: Edit
  /** Whether a text of the page is there twice: which of the two is which, only those beside it tell. */
  readonly hasEqual: boolean
  readonly before: string
  readonly after: string
  readonly quote: { readonly exact: string; readonly prefix: string; readonly suffix: string }
  /** The block of the quote, and where it begins in it. */
  readonly at: { readonly block: number; readonly start: number }
  /** Whether the words in `[from, to)` of a block of the second page are those of the quote, or what replaced them. */
  readonly judge: (places: readonly { readonly block: number; readonly from: number; readonly to: number }[]) => {
    /** Words of the quote that are in the places, and other words there. */
    readonly covered: number
    readonly others: number
    readonly areSame: boolean
  }
}

const tags = ['p', 'p', 'p', 'p', 'h2', 'li']

/** An edit of the commented place, with up to three elsewhere: the same for the same seed. */
export function plantedEdit(seed: number): Planted {
  const dice = randomFrom(seed)
  const below = (count: number): number => Math.floor(dice() * count)
  const script = seed % vocabularies.length
  const gap = script === 3 ? '' : ' '
  const words = vocabularies[script] ?? []
  const word = (of: Word | null = null): Word => {
    const text = words[below(words.length)] ?? ''
    return text === of?.text ? word(of) : { text, of }
  }
  const number = (): Word => ({ text: String(below(10_000)), of: null })
  const some = (least: number, most: number): Word[] =>
    Array.from({ length: least + below(most - least) }, () => word())
  const aBlock = (): Word[] => [...some(4, 16), number(), ...some(4, 30)]

  const page: Block[] = Array.from({ length: 5 + below(14) }, aBlock)
  const hasEqual = below(3) === 0
  if (hasEqual)
    page.splice(
      below(page.length),
      0,
      (page[below(page.length)] ?? []).map(({ text }) => ({ text, of: null })),
    )
  const number_ = below(page.length)
  const commented = page[number_] ?? []
  const first = below(commented.length - 2)
  const count = 1 + below(Math.min(7, commented.length - first - 1))
  const quote = commented.slice(first, first + count)
  const isOf = (each: Word): boolean => quote.includes(each) || (each.of !== null && quote.includes(each.of))

  const edit = edits[below(edits.length)] ?? 'nothing'
  let after: Block[] = page.map((each) => [...each])
  const place = (): number => after.findIndex((each) => each.some(isOf))
  const others = (): readonly number[] =>
    [...after.keys()].filter((at) => !(after[at] ?? []).some((each) => commented.includes(each) || isOf(each)))
  const another = (): number => others()[below(others().length)] ?? -1
  const change = (at: number, make: (block: Block) => readonly Block[]): void => {
    after = after.flatMap((each, order) => (order === at ? make(each) : [each]))
  }
  const copy = (): Word[] => quote.map((each) => ({ text: each.text, of: null, copyOf: each }))

  for (let times = below(4); times > 0; times -= 1)
    switch (below(7)) {
      case 0:
        change(below(after.length), (each) => [aBlock(), each])
        break
      case 1:
        if (others().length > 3) change(another(), () => [])
        break
      case 2: {
        const [moved = []] = after.splice(another(), 1)
        after.splice(below(after.length + 1), 0, moved)
        break
      }
      case 3:
        change(another(), (each) => [each.map((old) => (below(5) === 0 ? word() : old))])
        break
      case 4:
        change(another(), (each) => [[...each.slice(0, each.length / 2), ...copy(), ...each.slice(each.length / 2)]])
        break
      case 5:
        change(another(), (each) => [each, [...some(3, 9), ...copy(), ...some(3, 9)]])
        break
      case 6:
        change(another(), (each) => [each.slice(0, each.length / 2), each.slice(each.length / 2)])
        break
    }
  const from = (each: Block): number => each.findIndex(isOf)
  const inQuote = below(quote.length)
  const here = place()
  switch (edit) {
    case 'nothing':
      break
    case 'around':
      change(here, (each) => [[...some(0, 4), ...each.slice(0, from(each)), ...each.slice(from(each)), ...some(1, 4)]])
      break
    case 'inside':
      change(here, (each) => [each.map((old) => (old === quote[inQuote] ? word(old) : old))])
      break
    case 'inserted inside':
      change(here, (each) => [each.flatMap((old) => (old === quote[inQuote] ? [old, word(old), word(old)] : [old]))])
      break
    case 'replaced':
      change(here, (each) => [each.flatMap((old) => (quote.includes(old) ? [word(old)] : [old]))])
      break
    case 'deleted':
      change(here, (each) => [each.filter((old) => !quote.includes(old))])
      break
    case 'removed':
      change(here, () => [])
      break
    case 'moved': {
      const [moved = []] = after.splice(here, 1)
      after.splice(below(after.length + 1), 0, moved)
      break
    }
    case 'cut before':
      change(here, (each) => [each.slice(0, from(each)), each.slice(from(each))])
      break
    case 'cut inside':
      change(here, (each) => [each.slice(0, from(each) + inQuote), each.slice(from(each) + inQuote)])
      break
    case 'joined': {
      const [next = []] = after.splice(here + 1, 1)
      change(here, (each) => [[...each, ...next]])
      break
    }
    case 'carried away':
      change(here, (each) => [each.filter((old) => !quote.includes(old))])
      change(another(), (each) => [[...each.slice(0, each.length / 2), ...quote, ...each.slice(each.length / 2)]])
      break
  }
  after = after.filter((each) => each.length > 0)

  const textOf = (block: Block): string => block.map(({ text }) => text).join(gap)
  const tagOf = (block: Block): string => tags[(block[0]?.text.length ?? 0) % tags.length] ?? 'p'
  const html = (blocks: readonly Block[]): string =>
    `<!doctype html><title>T</title><main>${blocks.map((each) => `<${tagOf(each)}>${textOf(each)}</${tagOf(each)}>`).join('\n')}</main>`
  const startOf = (block: Block, at: number): number => textOf(block.slice(0, at)).length + (at === 0 ? 0 : gap.length)
  const start = startOf(commented, first)
  const exact = textOf(quote)
  const text = textOf(commented)
  return {
    edit,
    hasEqual,
    before: html(page),
    after: html(after),
    quote: { exact, prefix: text.slice(0, start), suffix: text.slice(start + exact.length) },
    at: { block: number_, start },
    judge(places) {
      const found = places.flatMap(({ block, from, to }) =>
        (after[block] ?? []).filter((each, order, all) => {
          const begin = startOf(all, order)
          return begin < to && begin + each.text.length > from
        }),
      )
      // Where a text was taken away and the same text put elsewhere, it moved: that is what cutting and pasting is.
      const isGone = !after.flat().some(isOf)
      const original = (each: Word): Word => (isGone ? (each.copyOf ?? each) : each)
      // Of two equal texts with equal texts beside them in both pages, nobody can tell which one it was.
      const around = (blocks: readonly Block[], at: number): string =>
        JSON.stringify([-1, 0, 1].map((step) => (blocks[at + step] ?? []).map(({ text }) => text)))
      const [only] = places
      if (only?.from === start && around(after, only.block) === around(page, number_))
        return { covered: 1, others: 0, areSame: textOf(after[only.block] ?? []).startsWith(exact, start) }
      const covered = found.filter((each) => isOf(original(each)))
      return {
        covered: covered.length,
        others: found.length - covered.length,
        areSame:
          found.length === quote.length &&
          found.every((each, order) => isOf(original(each)) && each.text === quote[order]?.text),
      }
    },
  }
}

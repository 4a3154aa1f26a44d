import type { BlockKind, Page } from './blocks.ts'
import { placeOf } from './blocks.ts'
import type { Change, ChangeKind, FactKind, NamedPart } from './changes.ts'
import { partsIn } from './changes.ts'
import type { Comparison, HeadPart } from './compare.ts'

/** A place of a page that people have a word for. */
export type NamedPlace = 'headline' | 'standfirst' | 'caption'

interface BlockFact {
  readonly kind: FactKind
  readonly block: BlockKind
  /** Neighbours that moved together count once. */
  readonly count: number
  readonly place: NamedPlace | null
  /** What it is said of in place of the block: a file, where links lead, alternative texts. */
  readonly of: NamedPart | null
  /** Of a single picture that was replaced: its number in the page, from 1. */
  readonly picture: number | null
}

/** A part of the sentence that says what changed. */
export type Fact =
  | BlockFact
  | { readonly kind: 'head'; readonly part: HeadPart }
  | { readonly kind: 'fonts' | 'metadata' | 'state' }

/** The facts of one sentence about a comparison, not its words. */
export interface Summary {
  /** In the order in which they are said: what readers notice first, and data last. Empty: no change. */
  readonly facts: readonly Fact[]
  /** Marks in the page: the number of changes, a block as often as it has some. */
  readonly changes: number
  readonly words: { readonly added: number; readonly removed: number }
}

const order: readonly FactKind[] = [
  'edited',
  'shortened',
  'lengthened',
  'picture',
  'inserted',
  'removed',
  'split',
  'joined',
  'moved',
  'attribute',
  'style',
  'look',
]

/** A new caption is a new figure: only what happens to a text is said of its place. */
const namable: ReadonlySet<ChangeKind> = new Set(['edited', 'split', 'joined', 'style'])

/** @param after The page after the change, in which places are named */
export function summaryOf(comparison: Comparison, after: Page): Summary {
  const { changes, head, other } = comparison
  const [names, pictures] = [namedPlaces(after), pictureNumbers(after)]
  const facts = new Map<string, BlockFact>()
  for (const change of changes) {
    if (change.isWithPrevious) continue
    const { block, of, did: kind } = change
    const place = namable.has(change.kind) ? (names.get(keyOf(change)) ?? null) : null
    // A named place is a fact of its own: "headline edited, 2 paragraphs edited". Files count wherever they are.
    const key = `${kind} ${of ?? block} ${place ?? ''}`
    const known = facts.get(key)
    const picture = known === undefined && kind === 'picture' && of === 'picture' ? (pictures(change) ?? null) : null
    const isOfParts = of !== null && (change.kind === 'picture' || change.kind === 'attribute')
    const count = (known?.count ?? 0) + (isOfParts ? partsIn(change).length : 1)
    facts.set(key, { kind, block, count, place, of, picture })
  }
  const rank = ({ kind, place, of }: BlockFact): number =>
    order.indexOf(of === 'link' || of === 'alt' ? 'attribute' : kind) - (place === null ? 0 : order.length)
  return {
    facts: [
      ...[...facts.values()].toSorted((one, another) => rank(one) - rank(another)),
      ...head.map(({ part }) => ({ kind: 'head' as const, part })),
      ...(['fonts', 'metadata', 'state'] as const).filter((part) => other[part]).map((kind) => ({ kind })),
    ],
    changes: changes.length,
    words: {
      added: sum(changes, ({ words }) => words.added),
      removed: sum(changes, ({ words }) => words.removed),
    },
  }
}

const sum = (changes: readonly Change[], of: (change: Change) => number): number =>
  changes.reduce((total, change) => total + of(change), 0)

const keyOf = ({ to: [place] }: Change): string => (place === undefined ? '' : JSON.stringify(place))

/** The first heading, the first text behind it, and texts of figures. */
function namedPlaces({ blocks }: Page): ReadonlyMap<string, NamedPlace> {
  const names = new Map<string, NamedPlace>()
  const headline = blocks.findIndex(({ kind }) => kind === 'heading')
  const first = blocks[headline]
  if (first !== undefined) names.set(JSON.stringify(placeOf(first)), 'headline')
  const next = headline === -1 ? undefined : blocks.slice(headline + 1).find(({ text }) => text !== '')
  if (next?.kind === 'paragraph') names.set(JSON.stringify(placeOf(next)), 'standfirst')
  for (const block of blocks)
    if (block.kind === 'figure' && block.text !== '') names.set(JSON.stringify(placeOf(block)), 'caption')
  return names
}

/** The number that a replaced picture has in its page, from 1. */
function pictureNumbers({ blocks }: Page): (change: Change) => number | undefined {
  const firsts = new Map<string, { readonly number: number; readonly names: readonly string[] }>()
  let number = 1
  for (const block of blocks) {
    if (block.pictures.length === 0) continue
    firsts.set(JSON.stringify(placeOf(block)), { number, names: block.pictures.map(({ name }) => name) })
    number += block.pictures.length
  }
  return (change) => {
    const first = firsts.get(keyOf(change))
    return first === undefined || change.before === null || change.after === null || change.files.length > 1
      ? undefined
      : first.number + Math.max(0, first.names.indexOf(change.after))
  }
}

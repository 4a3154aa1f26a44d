import type { Block } from './blocks.ts'
import { everywhere } from './blocks.ts'

const listNames: ReadonlySet<string> = new Set(['ul', 'ol', 'menu', 'dir'])
const boxNames: ReadonlySet<string> = new Set(
  'div section article aside main header footer nav blockquote details fieldset figure center form address'.split(' '),
)
/** Elements that look like nothing without class or style. */
const plainNames: ReadonlySet<string> = new Set(
  'div section article aside main header footer nav tbody form span a'.split(' '),
)

/** How far out the same container is looked for, around the one that most of its content is in. */
const levelsMax = 8

/**
 * Pairs the containers of two pages by what is in them, equal ones first. `partners` has, for each block of the first page,
 * the number of its partner in the second one, or -1; those of containers are added.
 */
export function pairContainers(one: readonly Block[], other: readonly Block[], partners: Int32Array): void {
  const taken = new Uint8Array(other.length)
  pairBy((block, candidate) => block.key === candidate.key, one, other, partners, taken)
  pairBy(areAlike, one, other, partners, taken)
}

/** From the innermost containers outwards: most of what is in a container tells where its partner is. */
function pairBy(
  fits: (block: Block, candidate: Block) => boolean,
  one: readonly Block[],
  other: readonly Block[],
  partners: Int32Array,
  taken: Uint8Array,
): void {
  const votes = new Map<number, Map<number, number>>()
  for (let at = one.length - 1; at > 0; at -= 1) {
    const block = one[at]
    if (block === undefined) continue
    const inner = block.isEmpty ? -1 : mostVoted(votes.get(at))
    votes.delete(at)
    if (!block.isEmpty && partners[at] === -1) {
      const partner = partnerOf(block, inner, other, taken, fits)
      partners[at] = partner
      if (partner !== -1) taken[partner] = 1
    }
    const partner = partners[at] ?? -1
    // Where it has no partner, what is in it is in the same place without it.
    const outer = partner === -1 ? inner : (other[partner]?.parent ?? -1)
    if (outer === -1) continue
    const counts = votes.get(block.parent) ?? new Map<number, number>()
    counts.set(outer, (counts.get(outer) ?? 0) + 1)
    votes.set(block.parent, counts)
  }
  if (one.length > 0 && other.length > 0) partners[0] = 0
}

function mostVoted(votes: ReadonlyMap<number, number> | undefined): number {
  let [best, most] = [-1, 0]
  for (const [at, count] of votes ?? []) if (count > most) [best, most] = [at, count]
  return best
}

const isOuter = ({ element: { name } }: Block): boolean => everywhere.has(name)

function partnerOf(
  block: Block,
  inner: number,
  other: readonly Block[],
  taken: Uint8Array,
  fits: (block: Block, candidate: Block) => boolean,
): number {
  if (isOuter(block)) {
    const same = other.findIndex(({ isEmpty, element }) => !isEmpty && element.name === block.element.name)
    return taken[same] === 0 ? same : -1
  }
  let at = inner
  for (let level = 0; level < levelsMax && at !== -1; level += 1) {
    const candidate = other[at]
    if (candidate === undefined) return -1
    if (taken[at] === 0 && fits(block, candidate)) return at
    at = candidate.parent
  }
  return -1
}

const areAlike = ({ element: { name: one } }: Block, { element: { name: other } }: Block): boolean =>
  one === other || (listNames.has(one) && listNames.has(other)) || (boxNames.has(one) && boxNames.has(other))

/** Whether a container changes nothing of what readers see. An empty list is one, too. */
export const isPlain = ({ kind, isEmpty, element: { name }, attributes, style }: Block): boolean =>
  kind === 'container' &&
  (plainNames.has(name) || (isEmpty && listNames.has(name))) &&
  attributes.length === 0 &&
  style === `<${name}||>`

/**
 * The containers of a page that are new around what was there before. One with all of its content is not told apart from
 * that, and one that looks like nothing is none.
 *
 * @param isKept Whether the block is in both pages
 */
export function wrappersIn(blocks: readonly Block[], isKept: (at: number) => boolean): readonly number[] {
  const holdsKept = new Uint8Array(blocks.length)
  for (const [at, block] of blocks.entries())
    if (block.isEmpty && isKept(at))
      for (let outer = block.parent; outer !== -1 && holdsKept[outer] === 0; outer = blocks[outer]?.parent ?? -1)
        holdsKept[outer] = 1
  return [...blocks.keys()].filter((at) => {
    const block = blocks[at]
    return block !== undefined && !block.isEmpty && holdsKept[at] === 1 && !isKept(at) && !isPlain(block)
  })
}

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
 * Pairs the containers of two pages by what is in them. `partners` has, for each block of the first page, the number of
 * its partner in the second one, or -1; those of containers are added.
 */
export function pairContainers(one: readonly Block[], other: readonly Block[], partners: Int32Array): void {
  const taken = new Uint8Array(other.length)
  const votes = new Map<number, Map<number, number>>()
  for (let at = one.length - 1; at >= 0; at -= 1) {
    const block = one[at]
    if (block === undefined) continue
    if (!block.isEmpty) {
      const partner = isOuter(block)
        ? other.findIndex(({ isEmpty, element }) => !isEmpty && element.name === block.element.name)
        : partnerOf(block, votes.get(at), other, taken)
      if (partner !== -1) {
        partners[at] = partner
        taken[partner] = 1
      }
      votes.delete(at)
    }
    const outer = other[partners[at] ?? -1]?.parent ?? -1
    if (outer === -1 || block.parent === -1) continue
    const counts = votes.get(block.parent) ?? new Map<number, number>()
    counts.set(outer, (counts.get(outer) ?? 0) + 1)
    votes.set(block.parent, counts)
  }
}

const isOuter = ({ element: { name } }: Block): boolean => everywhere.has(name)

function partnerOf(
  block: Block,
  votes: ReadonlyMap<number, number> | undefined,
  other: readonly Block[],
  taken: Uint8Array,
): number {
  let [inner, most] = [-1, 0]
  for (const [at, count] of votes ?? []) if (count > most) [inner, most] = [at, count]
  let alike = -1
  let at = inner
  for (let level = 0; level < levelsMax && at !== -1; level += 1) {
    const candidate = other[at]
    if (taken[at] === 0 && candidate !== undefined) {
      if (candidate.key === block.key) return at
      if (alike === -1 && areAlike(block, candidate)) alike = at
    }
    at = candidate?.parent ?? -1
  }
  return alike
}

const areAlike = ({ element: { name: one } }: Block, { element: { name: other } }: Block): boolean =>
  one === other || (listNames.has(one) && listNames.has(other)) || (boxNames.has(one) && boxNames.has(other))

/** Whether a container changes nothing of what readers see. */
const isPlain = ({ element, attributes, style }: Block): boolean =>
  plainNames.has(element.name) && attributes.length === 0 && style === `<${element.name}||>`

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

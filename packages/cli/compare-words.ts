import type { BlockKind, ChangeKind, Fact, FactKind, HeadPart, Summary } from '@galley/compare'
import { counted } from '@galley/platform'
import { assertNever } from '@galley/wire'

const blockWords: Record<BlockKind, string> = {
  heading: 'heading',
  paragraph: 'paragraph',
  list_item: 'list item',
  cell: 'cell',
  figure: 'figure',
  embed: 'embed',
  container: 'container',
}

const factWords: Record<FactKind, string> = {
  edited: 'edited',
  shortened: 'shortened',
  lengthened: 'lengthened',
  picture: 'replaced',
  inserted: 'inserted',
  removed: 'removed',
  split: 'split',
  joined: 'joined',
  moved: 'moved',
  attribute: 'with other attributes',
  style: 'with another style',
}

const headWords: Record<HeadPart, string> = {
  title: 'title changed',
  description: 'description changed',
  styles: 'style sheets changed',
  scripts: 'scripts changed',
  data: 'other data of the head changed',
}

/** More of them make no sentence. The list of changes has all. */
const factsAtMost = 5

/** What is said of a page that has no baseline. */
export const newPage = 'New page'

/** One sentence about a comparison, without a full stop. */
export function summarySentence({ facts }: Summary): string {
  if (facts.length === 0) return 'No change'
  const said = facts.slice(0, factsAtMost).map(factWord)
  const more = facts.length - said.length
  const text = [...said, ...(more > 0 ? [`and ${counted(more, 'other kind')} of change`] : [])].join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function factWord(fact: Fact): string {
  if (fact.kind === 'head') return headWords[fact.part]
  if (!('block' in fact)) return `${fact.kind} changed`
  const { kind, block, count, place, picture } = fact
  if (kind === 'picture')
    return picture === null ? `${counted(count, 'picture')} replaced` : `picture ${picture} replaced`
  const noun = place ?? blockWords[block]
  return `${place !== null && count === 1 ? noun : counted(count, noun)} ${factWords[kind]}`
}

/** What happened to a block, for a list. */
export function changeWords(kind: ChangeKind, block: BlockKind): string {
  switch (kind) {
    case 'picture':
      return `picture of a ${blockWords[block]} replaced`
    case 'attribute':
      return `attribute of a ${blockWords[block]} changed`
    case 'style':
      return `style of a ${blockWords[block]} changed`
    case 'inserted':
    case 'removed':
    case 'moved':
    case 'split':
    case 'joined':
    case 'edited':
      return `${blockWords[block]} ${kind}`
    default:
      return assertNever(kind)
  }
}

import type { BlockKind, ChangeKind, Fact, HeadChange, OtherParts, Summary } from '@galley/compare'
import { changeTexts } from '@galley/wire'

/** More of them make no sentence. The list of changes has all. */
const factsAtMost = 5

/** What is said of a page that has no baseline. */
export const { newPage } = changeTexts

/** The form of a word for a number, with the number in it. */
function forms(texts: Readonly<Record<string, unknown>>, key: string, count: number): string {
  const text = texts[`${key}_${count === 1 ? 'one' : 'other'}`]
  return typeof text === 'string' ? text.replace('{{count}}', String(count)) : ''
}

/** One sentence about a comparison, without a full stop; as the window has it. */
export function summarySentence({ facts }: Summary): string {
  if (facts.length === 0) return changeTexts.noChange
  const said = facts.slice(0, factsAtMost).map(factWords)
  const more = facts.length - said.length
  const text = [...said, ...(more > 0 ? [forms(changeTexts, 'more', more)] : [])].join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function factWords(fact: Fact): string {
  if (fact.kind === 'head') return changeTexts.parts[fact.part]
  if (!('block' in fact)) return changeTexts.parts[fact.kind]
  const { kind, block, count, place, picture } = fact
  const what =
    kind === 'picture'
      ? picture === null
        ? forms(changeTexts, 'pictures', count)
        : changeTexts.picture.replace('{{number}}', String(picture))
      : place !== null && count === 1
        ? changeTexts.places[place]
        : forms(changeTexts.blocks, block, count)
  return changeTexts.said.replace('{{what}}', what).replace('{{did}}', forms(changeTexts.did, kind, count))
}

/** What happened to a block, for a list. */
export const changeWords = (kind: ChangeKind, block: BlockKind): string =>
  changeTexts.line
    .replace('{{what}}', changeTexts.block[kind === 'picture' ? kind : block])
    .replace('{{kind}}', changeTexts.kinds[kind])

/** What changed besides the content. */
export const elsewhereWords = (head: readonly HeadChange[], other: OtherParts): readonly string[] => [
  ...head.map(({ part }) => changeTexts.parts[part]),
  ...(['fonts', 'metadata', 'state'] as const).filter((part) => other[part]).map((part) => changeTexts.parts[part]),
]

import type { Change, Fact, HeadChange, OtherParts, Summary } from '@galley/compare'
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
  const { kind, block, count, place, of, picture } = fact
  const counted = of === null ? forms(changeTexts.blocks, block, count) : forms(changeTexts.parted, of, count)
  const named = place !== null && count === 1 ? changeTexts.places[place] : counted
  const what = picture === null ? named : changeTexts.picture.replace('{{number}}', String(picture))
  return changeTexts.said.replace('{{what}}', what).replace('{{did}}', forms(changeTexts.did, kind, count))
}

/** What happened to a block, for a list. */
export function changeWords({ kind, block, of, did, details }: Change): string {
  const what = of === null ? changeTexts.block[block] : changeTexts.part[of]
  const isAttribute = kind === 'attribute' && of === null
  return (isAttribute ? changeTexts.attribute.line : changeTexts.line)
    .replace('{{what}}', what)
    .replace('{{kind}}', isAttribute ? attributeWords(details) : changeTexts.kinds[did])
}

function attributeWords(details: Change['details']): string {
  const [first] = details
  if (first === undefined || details.length > 1) return forms(changeTexts.attribute, 'count', details.length)
  const did = first.before === null ? 'inserted' : first.after === null ? 'removed' : 'edited'
  return changeTexts.attribute[did].replace('{{name}}', first.name)
}

/** A side of a change: of attributes their values, since the text is the same; null: there is nothing. */
export function sideWords(side: 'before' | 'after', { kind, of, details, ...change }: Change): string | null {
  if (kind !== 'attribute') return change[side]
  const values = details.flatMap(({ name, [side]: value }) => {
    if (value === null) return []
    if (of !== null) return value === '' ? changeTexts.attribute.empty : value
    return value === '' ? name : `${name}=${value}`
  })
  return values.length === 0 ? null : values.join(' ')
}

/** A change besides the content, with the files that are in it. */
export const headWords = ({ part, files }: HeadChange): string =>
  changeTexts.parts[part] + (files === undefined ? '' : `: ${files}`)

/** What changed besides the content. */
export const elsewhereWords = (head: readonly HeadChange[], other: OtherParts): readonly string[] => [
  ...head.map(headWords),
  ...(['fonts', 'metadata', 'state'] as const).filter((part) => other[part]).map((part) => changeTexts.parts[part]),
]

import type { TFunction } from 'i18next'

import type { Change, ComparedPages } from '../../ipc/desk.ts'

type Facts = ComparedPages['summary']['facts']
type Fact = Facts[number]

/** More of them make no sentence. The list of changes has all. */
const factsAtMost = 4

/** What changed, as one sentence. */
export function sentenceOf(compared: Pick<ComparedPages, 'summary'> | null, t: TFunction<'desk'>): string {
  if (compared === null) return t('newPage')
  const { facts } = compared.summary
  if (facts.length === 0) return t('noChange')
  const said = facts.slice(0, factsAtMost).map((fact) => wordsOf(fact, t))
  const more = facts.length - said.length
  return capitalised([...said, ...(more > 0 ? [t('more', { count: more })] : [])].join(', '))
}

function wordsOf(fact: Fact, t: TFunction<'desk'>): string {
  if (fact.kind === 'head') return t(`parts.${fact.part}`)
  if (!('block' in fact)) return t(`parts.${fact.kind}`)
  const { kind, block, count, place, of, picture } = fact
  const counted = of === null ? t(`blocks.${block}`, { count }) : t(`parted.${of}`, { count })
  const named = place !== null && count === 1 ? t(`places.${place}`) : counted
  const what = picture === null ? named : t('picture', { number: picture })
  return t('said', { what, did: t(`did.${kind}`, { count }) })
}

/** What changed besides the content, with the files that are in it. */
export const headWords = ({ part, files }: ComparedPages['head'][number], t: TFunction<'desk'>): string =>
  t(`parts.${part}`) + (files === undefined ? '' : `: ${files}`)

/** What happened to a block, for a list. */
export function lineOf(
  { kind, block, of, did, details }: Pick<Change, 'kind' | 'block' | 'of' | 'did' | 'details'>,
  t: TFunction<'desk'>,
): string {
  const what = of === null ? t(`block.${block}`) : t(`part.${of}`)
  if (kind !== 'attribute' || of !== null) return t('line', { what, kind: t(`kinds.${did}`) })
  return t('attribute.line', { what, kind: attributeWords(details, t) })
}

function attributeWords(details: Change['details'], t: TFunction<'desk'>): string {
  const [first] = details
  if (first === undefined || details.length > 1) return t('attribute.count', { count: details.length })
  const did = first.before === null ? 'inserted' : first.after === null ? 'removed' : 'edited'
  return t(`attribute.${did}`, { name: first.name })
}

const capitalised = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

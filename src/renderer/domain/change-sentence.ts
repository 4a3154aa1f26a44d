import type { TFunction } from 'i18next'

import type { ComparedPages } from '../../ipc/desk.ts'

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
  const { kind, block, count, place, picture } = fact
  const what =
    kind === 'picture'
      ? picture === null
        ? t('pictures', { count })
        : t('picture', { number: picture })
      : place !== null && count === 1
        ? t(`places.${place}`)
        : t(`blocks.${block}`, { count })
  return t('said', { what, did: t(`did.${kind}`, { count }) })
}

const capitalised = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

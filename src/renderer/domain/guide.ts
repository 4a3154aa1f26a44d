import type { ListenerState } from '@galley/library/records'

import type { Language } from '../../texts/catalogue.ts'
import type { Explained } from '../ui/means-context.ts'

/** A part of a line of the guide. */
export type GuideSpan = string | { readonly strong: string } | { readonly code: string }

/** A block of the guide: the subset of Markdown that its pages use. */
export type GuideBlock =
  | { readonly kind: 'text'; readonly spans: readonly GuideSpan[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly GuideSpan[])[] }
  | { readonly kind: 'code'; readonly text: string }

/** A heading of the guide with what is below it. */
export interface GuideSection {
  /** The page and the count of the heading in it, the same in all languages: `delivery/2`. */
  readonly id: string
  readonly page: string
  readonly title: string
  /** Whether it begins a page. */
  readonly isFirst: boolean
  readonly blocks: readonly GuideBlock[]
  /** Title and blocks in lower case, for the search. */
  readonly text: string
  /** What it explains: failure codes, and states such as `outcome:stored`; `*` at the end stands for anything. */
  readonly means: readonly string[]
}

/** The guide in a language, which is not loaded before it is read. */
export const loadGuide = async (language: Language): Promise<readonly GuideSection[]> =>
  // The build made it with this type.
  (language === 'ru' ? await import('virtual:guide/ru') : await import('virtual:guide/en'))
    .default as readonly GuideSection[]

/** The checks of Delivery that the guide explains as such. */
export const healthTopics = [
  'library',
  'keychain',
  'runtime',
  'updates',
  'disk',
  'skipped',
  'check',
  'backup',
  'team',
  'encryption',
  'sleep',
  'webhook',
] as const

/** The code of a state that a line of Delivery shows. */
export type HealthCode =
  | `health:${(typeof healthTopics)[number]}`
  | `listener:${ListenerState['kind']}`
  | `${'callback' | 'check' | 'outcome'}:${string}`
  | 'site_unconfirmed'
  | `secrets_unavailable_${string}`

/** The code by which the guide explains a problem. */
export const codeOf = ({ code, state }: Explained): string => (state === undefined ? code : `${code}_${state}`)

/** Whether what a paragraph names covers a code. */
export const explains = (pattern: string, code: string): boolean =>
  pattern.endsWith('*') ? code.startsWith(pattern.slice(0, -1)) : code === pattern

/** The section that explains a code: the one that names it most exactly; null if none does. */
export function sectionOf(guide: readonly GuideSection[], code: string): GuideSection | null {
  const named = guide.flatMap((section) =>
    section.means.filter((pattern) => explains(pattern, code)).map((pattern) => ({ section, length: pattern.length })),
  )
  return named.toSorted((one, other) => other.length - one.length)[0]?.section ?? null
}

/** The sections with all words of a text, those with all of them in the title first. */
export function searchGuide(guide: readonly GuideSection[], text: string): readonly GuideSection[] {
  const words = text.toLocaleLowerCase().split(/\s+/u).filter(Boolean)
  const inTitle = ({ title }: GuideSection): boolean => words.every((word) => title.toLocaleLowerCase().includes(word))
  const found = guide.filter((section) => words.every((word) => section.text.includes(word)))
  return [...found.filter(inTitle), ...found.filter((section) => !inTitle(section))]
}

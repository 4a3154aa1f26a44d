import type { Cause } from './cause.ts'
import { causeSentence } from './cause.ts'
import { failureSentences } from './failure-sentences.ts'

/** A code that has words. A case of a code, such as `busy_pruned`, is one too. */
export type WordedCode = keyof typeof failureSentences

/** An expected failure: a stable code, its facts, and the case of the code that has words of its own. */
export interface Failure {
  readonly code: WordedCode
  readonly state?: string
}

/** The side of each `[window|command line]` that is meant. */
const sideOf = (sentence: string, side: 1 | 2): string =>
  sentence.replace(/\[([^|\]]*)\|([^\]]*)\]/g, side === 1 ? '$1' : '$2')

/** The sentences of the window, with `{{fact}}` in place of facts. */
export const failuresInWindow = Object.fromEntries(
  Object.entries(failureSentences).map(([code, sentence]) => [code, sideOf(sentence, 1)]),
) as { readonly [Code in WordedCode]: string }

/** A failure in English, as the command line, the log and responses have it. */
export function failureWords({ code, state = '', ...facts }: Failure): string {
  const ofCase = `${code}_${state}`
  const sentence = failureSentences[Object.hasOwn(failureSentences, ofCase) ? (ofCase as WordedCode) : code]
  const given = new Map<string, unknown>(Object.entries(facts))
  return sideOf(sentence, 2).replace(/\{\{(\w+)\}\}/g, (_, name: string) => factText(given.get(name)))
}

function factText(fact: unknown): string {
  if (Array.isArray(fact)) return fact.length === 0 ? 'none' : fact.join(', ')
  if (typeof fact === 'string' || typeof fact === 'number') return String(fact)
  // The only facts that are objects are causes.
  return typeof fact === 'object' && fact !== null ? causeSentence(fact as Cause) : ''
}

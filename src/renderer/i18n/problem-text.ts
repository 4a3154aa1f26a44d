import type { CallProblem, ProblemFacts } from '@galley/library/records'
import type { i18n } from 'i18next'
import { useTranslation } from 'react-i18next'

import { causeIn } from './cause-text.tsx'

/** Words a problem by its code, its state and its facts, including a nested technical cause. */
export function problemIn({ code, state, ...given }: CallProblem, texts: i18n): string {
  // Types cannot check that the facts match the placeholders of the text.
  const translate = texts.getFixedT(texts.language, 'problems') as (code: string, facts: object) => string
  const causes = texts.getFixedT(texts.language, 'causes')
  const facts = Object.entries(given as ProblemFacts).map(([name, fact]) => [
    name,
    typeof fact === 'object' && fact !== null && 'code' in fact ? causeIn(fact, causes) : fact,
  ])
  return translate(code, { ...Object.fromEntries(facts), context: state })
}

/** Hook form of `problemIn`. */
export function useProblemText(): (problem: CallProblem) => string {
  const { i18n } = useTranslation('problems')
  return (problem) => problemIn(problem, i18n)
}

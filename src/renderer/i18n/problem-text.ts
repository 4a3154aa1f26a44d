import type { CallProblem, ProblemCode } from '@galley/library/records'
import type { i18n } from 'i18next'
import { useTranslation } from 'react-i18next'

import type { en } from '../../texts/en.ts'
import { causeIn } from './cause-text.tsx'

/** The fact that distinguishes cases of one code. */
const casesOf = ({ facts }: CallProblem): string | undefined =>
  typeof facts?.['state'] === 'string' ? facts['state'] : undefined

/** Words a problem by its code and facts, including a nested technical cause. */
export function problemIn(problem: CallProblem, texts: i18n): string {
  // A code without a text fails to compile; types cannot check that the facts match its placeholders.
  const code: ProblemCode & keyof (typeof en)['problems'] = problem.code
  const translate = texts.getFixedT(texts.language, 'problems') as (code: string, facts: object) => string
  const causes = texts.getFixedT(texts.language, 'causes')
  const facts = Object.entries(problem.facts ?? {}).map(([name, fact]) => [
    name,
    typeof fact === 'object' && fact !== null ? causeIn(fact, causes) : fact,
  ])
  return translate(code, { ...Object.fromEntries(facts), context: casesOf(problem) })
}

/** Hook form of `problemIn`. */
export function useProblemText(): (problem: CallProblem) => string {
  const { i18n } = useTranslation('problems')
  return (problem) => problemIn(problem, i18n)
}

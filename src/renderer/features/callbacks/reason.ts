import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

import type { CallbackRow } from '../../../contract/ipc/callbacks.ts'
import type { ProblemFacts } from '../../../contract/ipc/problem.ts'
import type { reasons } from '../../../texts/en/reasons.ts'

type Code = NonNullable<CallbackRow['code']>

/** Which fact tells cases of one code apart. */
const caseOf = ({ rule, state, header, status }: ProblemFacts): string | undefined => {
  const known = rule ?? state ?? header ?? (typeof status === 'number' ? statusCase(status) : undefined)
  return typeof known === 'string' ? known : undefined
}

/** What the status of a download that failed means for what to do. */
function statusCase(status: number): 'gone' | 'denied' | 'unable' | 'status' {
  if (status === 404 || status === 410) return 'gone'
  if (status === 401 || status === 403) return 'denied'
  return status === 429 || status >= 500 ? 'unable' : 'status'
}

/** Why a callback was not stored and what it means for the data, and what to do. */
export interface Reason {
  readonly why: string
  readonly fix: string
}

/** Words the end of a callback by its code and the facts that were logged with it. */
export function reasonOf(code: Code, facts: ProblemFacts, t: TFunction<'reasons'>): Reason {
  // A code that lacks one of its texts would not compile here.
  const key: keyof (typeof reasons)['why'] = code
  const fixKey: keyof (typeof reasons)['fix'] = code
  const translate = t as (key: string, options: object) => string
  const options = { context: caseOf(facts), status: facts['status'] }
  return { why: translate(`why.${key}`, options), fix: translate(`fix.${fixKey}`, options) }
}

/** The same in the language of the window. */
export function useReason(): (code: Code, facts: ProblemFacts) => Reason {
  const { t } = useTranslation('reasons')
  return (code, facts) => reasonOf(code, facts, t)
}

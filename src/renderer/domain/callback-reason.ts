import type { CallbackRow, ProblemFacts } from '@galley/library/records'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

import type { reasons } from '../../texts/en/reasons.ts'

type Code = NonNullable<CallbackRow['code']>

/** The fact that distinguishes cases of one code. */
const caseOf = ({ rule, state, header, status, signedIn }: ProblemFacts): string | undefined => {
  if (typeof signedIn === 'string') return 'other_header'
  const known = rule ?? state ?? header ?? (typeof status === 'number' ? statusCase(status) : undefined)
  return typeof known === 'string' ? known : undefined
}

/** Groups failed download statuses by their fix. */
function statusCase(status: number): 'gone' | 'denied' | 'unable' | 'status' {
  if (status === 404 || status === 410) return 'gone'
  if (status === 401 || status === 403) return 'denied'
  return status === 429 || status >= 500 ? 'unable' : 'status'
}

/** Why a callback was not stored and what that means, and how to fix it. */
export interface Reason {
  readonly why: string
  readonly fix: string
}

/** Words an outcome by its code and the logged facts. */
export function reasonOf(code: Code, facts: ProblemFacts, t: TFunction<'reasons'>): Reason {
  // A code without one of its texts fails to compile.
  const key: keyof (typeof reasons)['why'] = code
  const fixKey: keyof (typeof reasons)['fix'] = code
  const translate = t as (key: string, options: object) => string
  const options = { context: caseOf(facts), status: facts['status'], header: facts['signedIn'] }
  return { why: translate(`why.${key}`, options), fix: translate(`fix.${fixKey}`, options) }
}

/** Hook form of `reasonOf`. */
export function useReason(): (code: Code, facts: ProblemFacts) => Reason {
  const { t } = useTranslation('reasons')
  return (code, facts) => reasonOf(code, facts, t)
}

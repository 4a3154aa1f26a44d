import type { Cause } from '@galley/wire'
import { causeSentence } from '@galley/wire'

import type { ProblemFacts } from '../views/problem.ts'
import type { SiteCheck, SiteCheckCode } from '../views/sites.ts'

/**
 * The result of one check with English text for the command line. `fix` is what to do; empty if the check passed. A check
 * with the code `clock_unknown` or `secret_untried` is `ok` with a `fix`: nothing is known to be wrong, or right.
 */
export interface Check extends SiteCheck {
  readonly detail: string
  readonly fix: string
}

export const good = (name: Check['name'], code: SiteCheckCode, detail: string, facts: ProblemFacts = {}): Check => ({
  name,
  ok: true,
  code,
  facts,
  detail,
  fix: '',
})
export const bad = (
  name: Check['name'],
  code: SiteCheckCode,
  detail: string,
  fix: string,
  facts: ProblemFacts = {},
): Check => ({ name, ok: false, code, facts, detail, fix })

/** A check that failed for a cause, whose text may say in a second sentence what to do. `fix`: what to do otherwise. */
export function unreached(name: Check['name'], code: SiteCheckCode, why: Cause, fix: string): Check {
  const [what = '', ...help] = causeSentence(why).split('. ')
  return bad(name, code, what, help.length > 0 ? `${help.join('. ')}.` : fix, { why })
}

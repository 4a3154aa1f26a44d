import type { Case, Theme } from './suite/case.ts'
import type { Outcome } from './report/report.ts'

export interface Selection {
  /** Themes with the cases that will run; those without any are left away. */
  readonly chosen: readonly Theme[]
  /** The cases that the options keep from running, each `unchecked` with its reason. */
  readonly leftOut: readonly Outcome[]
}

/** What the options of a run say about its cases. */
interface Wishes {
  readonly auth: unknown
  readonly pageTemplate: string | null
  readonly slow: boolean
  readonly only: readonly string[] | null
  readonly skip: readonly string[]
}

/** Which cases a run takes: all that its options allow, or those that were named, slow ones too. */
export function selectCases(themes: readonly Theme[], { auth, pageTemplate, slow, only, skip }: Wishes): Selection {
  const named = themes.map((theme) => ({
    ...theme,
    cases: theme.cases.filter(({ id }) => only === null || only.includes(id)),
  }))
  const sifted = sorted(named, ({ id, needs }) => {
    if (skip.includes(id)) return 'left out with --skip'
    if (needs === 'auth' && auth === null) return 'needs --auth'
    if (needs === 'page' && pageTemplate === null) return 'needs --page'
    return needs === 'slow' && !slow && only === null ? 'waits for a deadline, which takes --slow' : null
  })
  // Who names a case wants to know: what keeps it from running then is a lack, but for --skip.
  return only === null ? sifted : { ...sifted, leftOut: sifted.leftOut.map((each) => demanded(each, skip)) }
}

const demanded = (outcome: Outcome, skip: readonly string[]): Outcome => ({
  ...outcome,
  isMoot: skip.includes(outcome.case.id),
})

/** The cases that look at opened sessions, without any to look at, are left out; a lack for whoever named them. */
export const withoutOpens = (themes: readonly Theme[], isNamed: boolean): Selection => {
  const { chosen, leftOut } = sorted(themes, ({ needs }) =>
    needs === 'open' ? 'the backend opened no session at the kit during the run' : null,
  )
  return { chosen, leftOut: leftOut.map((each) => ({ ...each, isMoot: !isNamed })) }
}

function sorted(themes: readonly Theme[], whyNot: (each: Case) => string | null): Selection {
  return {
    chosen: themes
      .map((theme) => ({ ...theme, cases: theme.cases.filter((each) => whyNot(each) === null) }))
      .filter(({ cases }) => cases.length > 0),
    leftOut: themes.flatMap(({ title, cases }) =>
      cases.flatMap((each) => {
        const reason = whyNot(each)
        return reason === null ? [] : [notRun(title, each, reason)]
      }),
    ),
  }
}

/** A case that nobody ran; as long as the run is whole, the contract wants nothing here that was asked for. */
export const notRun = (theme: string, each: Case, reason: string, isMoot = true): Outcome => ({
  result: 'unchecked',
  expected: each.name,
  got: 'not run',
  reason,
  isMoot,
  theme,
  case: each,
  ms: 0,
})

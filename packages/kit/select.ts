import type { Outcome } from './report/report.ts'
import type { Case, Theme } from './suite/case.ts'

export interface Selection {
  /** Themes with the cases that will run; themes without cases are dropped. */
  readonly chosen: readonly Theme[]
  /** Cases excluded by the options, each `unchecked` with a reason. */
  readonly leftOut: readonly Outcome[]
}

/** The options that select cases. */
interface SelectionOptions {
  readonly auth: unknown
  readonly pageTemplate: string | null
  readonly slow: boolean
  readonly only: readonly string[] | null
  readonly skip: readonly string[]
}

/** Selects the cases that the options allow, or those given by name, including slow ones. */
export function selectCases(
  themes: readonly Theme[],
  { auth, pageTemplate, slow, only, skip }: SelectionOptions,
): Selection {
  const named = themes.map((theme) => ({
    ...theme,
    cases: theme.cases.filter(({ id }) => only === null || only.includes(id)),
  }))
  const selected = sorted(named, ({ id, needs }) => {
    if (skip.includes(id)) return 'left out with --skip'
    if (needs === 'auth' && auth === null) return 'needs --auth'
    if (needs === 'page' && pageTemplate === null) return 'needs --page'
    return needs === 'slow' && !slow && only === null ? 'waits for a deadline; run it with --slow' : null
  })
  // If a case was selected by name, not running it is a problem, unless --skip excluded it.
  return only === null
    ? selected
    : { ...selected, leftOut: selected.leftOut.map((each) => requestedByName(each, skip)) }
}

const requestedByName = (outcome: Outcome, skip: readonly string[]): Outcome => ({
  ...outcome,
  isOptional: skip.includes(outcome.case.id),
})

/** Excludes cases about opened sessions when there are none; a problem only if they were selected by name. */
export const withoutOpens = (themes: readonly Theme[], isNamed: boolean): Selection => {
  const { chosen, leftOut } = sorted(themes, ({ needs }) =>
    needs === 'open' ? 'the backend opened no session at the kit during the run' : null,
  )
  return { chosen, leftOut: leftOut.map((each) => ({ ...each, isOptional: !isNamed })) }
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

/** The outcome of a case that did not run. `isOptional`: it was not required in this run. */
export const notRun = (theme: string, each: Case, reason: string, isOptional = true): Outcome => ({
  result: 'unchecked',
  expected: each.name,
  got: 'not run',
  reason,
  isOptional,
  theme,
  case: each,
  ms: 0,
})

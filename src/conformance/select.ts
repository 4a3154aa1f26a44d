import type { Case, Theme } from './case.ts'
import type { LeftOut } from './report/report.ts'

export interface Selection {
  /** Themes with the cases that will run; those without any are left away. */
  readonly chosen: readonly Theme[]
  readonly leftOut: readonly LeftOut[]
}

/** Which cases a run takes: all that its options allow, or those that were named, slow ones too. */
export function selectCases(
  themes: readonly Theme[],
  { auth, slow, only }: { readonly auth: unknown; readonly slow: boolean; readonly only: readonly string[] | null },
): Selection {
  const named = themes.map((theme) => ({
    ...theme,
    cases: theme.cases.filter(({ id }) => only === null || only.includes(id)),
  }))
  return sorted(named, ({ needs }) => {
    if (needs === 'auth' && auth === null) return 'needs --auth'
    return needs === 'slow' && !slow && only === null ? 'waits for a deadline, which takes --slow' : null
  })
}

/** The cases that look at opened sessions, without any to look at, are left out. */
export const withoutOpens = (themes: readonly Theme[]): Selection =>
  sorted(themes, ({ needs }) => (needs === 'open' ? 'the backend opened no session at the kit during the run' : null))

function sorted(themes: readonly Theme[], whyNot: (each: Case) => string | null): Selection {
  return {
    chosen: themes
      .map((theme) => ({ ...theme, cases: theme.cases.filter((each) => whyNot(each) === null) }))
      .filter(({ cases }) => cases.length > 0),
    leftOut: themes.flatMap(({ title, cases }) =>
      cases.flatMap((each) => {
        const why = whyNot(each)
        return why === null ? [] : [{ case: each, theme: title, why }]
      }),
    ),
  }
}

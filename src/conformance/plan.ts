import type { Case, Theme } from './suite/case.ts'

/** The order in which cases run, and their prerequisites. */
export interface Plan {
  /** Cases that others depend on, run one at a time. */
  readonly first: readonly Theme[]
  /** All other cases, in units that one lane runs together. */
  readonly main: readonly Theme[]
  /** Cases that look back at the run. */
  readonly last: readonly Theme[]
  /** Ids of the cases that this one depends on, the closest last. */
  readonly basisOf: (theme: Theme, each: Case) => readonly string[]
}

/**
 * Puts prerequisites first. A backend that returns no public URLs then fails the one case about that, not every case
 * that looks at a file. Cases selected by name run in any event: then `rests` is false.
 */
export function planOf(themes: readonly Theme[], rests: boolean): Plan {
  const byId = new Map(themes.flatMap((theme) => theme.cases.map((each) => [each.id, { theme, each }] as const)))
  const nearest = (theme: Theme, { id, restsOn }: Case): readonly string[] =>
    [restsOn ?? theme.restsOn ?? []].flat().filter((basis) => basis !== id)
  const basisOf = (theme: Theme, each: Case): readonly string[] =>
    (rests ? nearest(theme, each) : []).flatMap((id) => {
      const found = byId.get(id)
      return [...(found ? basisOf(found.theme, found.each) : []), id]
    })
  const bases = new Set(
    themes.flatMap((theme) =>
      theme.cases.flatMap((each) => [...basisOf(theme, each), ...(each.isBasis && rests ? [each.id] : [])]),
    ),
  )
  const parts = (isWanted: (theme: Theme, each: Case) => boolean): readonly Theme[] =>
    themes
      .map((theme) => ({ ...theme, cases: theme.cases.filter((each) => isWanted(theme, each)) }))
      .filter(({ cases }) => cases.length > 0)
  const isLast = ({ runs }: Theme): boolean => runs === 'end'
  return {
    first: inOrder(themes, bases, basisOf),
    main: parts((theme, { id }) => !bases.has(id) && !isLast(theme)).flatMap((theme) =>
      theme.runs === 'fonts' ? [theme] : single(theme),
    ),
    last: parts((theme, { id }) => !bases.has(id) && isLast(theme)),
    basisOf,
  }
}

/** Splits a theme into one theme per case. */
const single = (theme: Theme): readonly Theme[] => theme.cases.map((each) => ({ ...theme, cases: [each] }))

/** The themes of these cases in order, each after its prerequisites. */
function inOrder(themes: readonly Theme[], ids: ReadonlySet<string>, basisOf: Plan['basisOf']): readonly Theme[] {
  const waiting = new Map(themes.flatMap(single).flatMap((theme) => theme.cases.map(({ id }) => [id, theme] as const)))
  const sorted: Theme[] = []
  const take = (id: string): void => {
    const theme = waiting.get(id)
    const [each] = theme?.cases ?? []
    if (theme === undefined || each === undefined) return
    basisOf(theme, each).forEach(take)
    if (waiting.delete(id)) sorted.push(theme)
  }
  for (const id of [...waiting.keys()]) if (ids.has(id)) take(id)
  return sorted
}

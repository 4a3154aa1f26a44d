import type { Case, Theme } from './suite/case.ts'

/** In which order cases run, and what they rest on. */
export interface Plan {
  /** The cases that others rest on, one after the other. */
  readonly first: readonly Theme[]
  /** All others, in the pieces that one lane takes at a time. */
  readonly main: readonly Theme[]
  /** What looks back at the run. */
  readonly last: readonly Theme[]
  /** Ids of the cases without which this one says nothing, the nearest last. */
  readonly basisOf: (theme: Theme, each: Case) => readonly string[]
}

/**
 * Puts what others rest on first. A backend that gives no public URL at all then fails the one case about that, and not
 * every case that looks at a file. Cases that were asked for by name run whatever else fails: `rests` is false.
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

/** The theme in pieces of one case. */
const single = (theme: Theme): readonly Theme[] => theme.cases.map((each) => ({ ...theme, cases: [each] }))

/** These cases, one by one in the order of the themes, but each behind those it rests on. */
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

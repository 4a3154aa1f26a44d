import type { Case, Theme } from './case.ts'

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
  const nearest = (theme: Theme, { id, restsOn }: Case): string | null => {
    const basis = restsOn ?? theme.restsOn ?? null
    return basis === id ? null : basis
  }
  const basisOf = (theme: Theme, each: Case): readonly string[] => {
    const id = rests ? nearest(theme, each) : null
    const found = id === null ? undefined : byId.get(id)
    return id === null ? [] : [...(found ? basisOf(found.theme, found.each) : []), id]
  }
  const bases = new Set(themes.flatMap((theme) => theme.cases.flatMap((each) => basisOf(theme, each))))
  const parts = (isWanted: (theme: Theme, each: Case) => boolean): readonly Theme[] =>
    themes
      .map((theme) => ({ ...theme, cases: theme.cases.filter((each) => isWanted(theme, each)) }))
      .filter(({ cases }) => cases.length > 0)
  const isLast = ({ runs }: Theme): boolean => runs === 'end'
  return {
    // Those with less beneath them come before those that rest on them.
    first: parts((_, { id }) => bases.has(id))
      .flatMap(single)
      .toSorted((a, b) => depth(a, basisOf) - depth(b, basisOf)),
    main: parts((theme, { id }) => !bases.has(id) && !isLast(theme)).flatMap((theme) =>
      theme.runs === 'fonts' ? [theme] : single(theme),
    ),
    last: parts((theme, { id }) => !bases.has(id) && isLast(theme)),
    basisOf,
  }
}

/** The theme in pieces of one case. */
const single = (theme: Theme): readonly Theme[] => theme.cases.map((each) => ({ ...theme, cases: [each] }))

const depth = (theme: Theme, basisOf: Plan['basisOf']): number =>
  theme.cases.reduce((deepest, each) => Math.max(deepest, basisOf(theme, each).length), 0)

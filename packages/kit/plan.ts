import type { Case, Theme } from './suite/case.ts'

/** The order in which cases run, and their prerequisites. */
export interface Plan {
  /** Cases that others depend on, run one at a time. */
  readonly first: readonly Theme[]
  /** All other cases, in units that one lane runs together. */
  readonly main: readonly Theme[]
  /** Cases that check the whole run. */
  readonly last: readonly Theme[]
  /** Ids of the cases that this one depends on, the closest last. */
  readonly prerequisitesOf: (theme: Theme, each: Case) => readonly string[]
}

/**
 * Puts prerequisites first. A backend that returns no public URLs then fails the one case about that, not every case
 * that looks at a file. Cases selected by name run in any event: then `usesPrerequisites` is false.
 */
export function planOf(themes: readonly Theme[], usesPrerequisites: boolean): Plan {
  const byId = new Map(themes.flatMap((theme) => theme.cases.map((each) => [each.id, { theme, each }] as const)))
  const nearest = (theme: Theme, { id, dependsOn }: Case): readonly string[] =>
    [dependsOn ?? theme.dependsOn ?? []].flat().filter((basis) => basis !== id)
  const prerequisitesOf = (theme: Theme, each: Case): readonly string[] =>
    (usesPrerequisites ? nearest(theme, each) : []).flatMap((id) => {
      const found = byId.get(id)
      return [...(found ? prerequisitesOf(found.theme, found.each) : []), id]
    })
  const prerequisites = new Set(
    themes.flatMap((theme) =>
      theme.cases.flatMap((each) => [
        ...prerequisitesOf(theme, each),
        ...(each.runsFirst && usesPrerequisites ? [each.id] : []),
      ]),
    ),
  )
  const parts = (isWanted: (theme: Theme, each: Case) => boolean): readonly Theme[] =>
    themes
      .map((theme) => ({ ...theme, cases: theme.cases.filter((each) => isWanted(theme, each)) }))
      .filter(({ cases }) => cases.length > 0)
  const isLast = ({ runs }: Theme): boolean => runs === 'end'
  return {
    first: inOrder(themes, prerequisites, prerequisitesOf),
    main: parts((theme, { id }) => !prerequisites.has(id) && !isLast(theme)).flatMap((theme) =>
      theme.runs === 'fonts' ? [theme] : single(theme),
    ),
    last: parts((theme, { id }) => !prerequisites.has(id) && isLast(theme)),
    prerequisitesOf,
  }
}

/** Splits a theme into one theme per case. */
const single = (theme: Theme): readonly Theme[] => theme.cases.map((each) => ({ ...theme, cases: [each] }))

/** The themes of these cases in order, each after its prerequisites. */
function inOrder(
  themes: readonly Theme[],
  ids: ReadonlySet<string>,
  prerequisitesOf: Plan['prerequisitesOf'],
): readonly Theme[] {
  const waiting = new Map(themes.flatMap(single).flatMap((theme) => theme.cases.map(({ id }) => [id, theme] as const)))
  const sorted: Theme[] = []
  const take = (id: string): void => {
    const theme = waiting.get(id)
    const [each] = theme?.cases ?? []
    if (theme === undefined || each === undefined) return
    prerequisitesOf(theme, each).forEach(take)
    if (waiting.delete(id)) sorted.push(theme)
  }
  for (const id of waiting.keys()) if (ids.has(id)) take(id)
  return sorted
}

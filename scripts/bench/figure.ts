/** One figure with its goal, and the format of the table of figures. */

export interface Figure {
  readonly name: string
  readonly measured: string
  readonly goal: string
  /** Null if it cannot be measured here, or has no goal. */
  readonly isMet: boolean | null
}

/** A figure with an upper limit. */
export function atMost(name: string, value: number | null, limit: number, unit: string, digits = 0): Figure {
  const isMet = value === null ? null : value <= limit
  return { name, measured: shown(value, unit, digits), goal: `<= ${shown(limit, unit, digits)}`, isMet }
}

/** A figure with a lower limit. */
export function atLeast(name: string, value: number, limit: number, unit: string, digits = 0): Figure {
  return { name, measured: shown(value, unit, digits), goal: `>= ${shown(limit, unit, digits)}`, isMet: value >= limit }
}

/** A figure without a goal. */
export function withoutGoal(name: string, value: number, unit: string, digits = 0): Figure {
  return { name, measured: shown(value, unit, digits), goal: '', isMet: null }
}

const shown = (value: number | null, unit: string, digits: number): string =>
  value === null ? 'not measured' : `${value.toFixed(digits)}${unit}`

const verdict = (isMet: boolean | null): string => (isMet === null ? '-' : isMet ? 'met' : 'NOT MET')

export function printFigures(figures: readonly Figure[]): void {
  const rows = [
    ['figure', 'measured', 'goal', ''],
    ...figures.map(({ name, measured, goal, isMet }) => [name, measured, goal, verdict(isMet)]),
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

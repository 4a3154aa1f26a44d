/** The few statistics that the figures are given in. */

/** The value below which this share (0 to 1) of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] ?? NaN
  const above = sorted[Math.ceil(at)] ?? NaN
  return below + (above - below) * (at - Math.floor(at))
}

/** Measured values as they are printed: whole numbers on a line, in the order they were taken. */
export const onALine = (values: readonly number[]): string => values.map((value) => Math.round(value)).join(' ')

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The statistics of the figures. */

/** The quantile of the values for a share from 0 to 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] ?? NaN
  const above = sorted[Math.ceil(at)] ?? NaN
  return below + (above - below) * (at - Math.floor(at))
}

/** Formats measured values: whole numbers on one line, in the order of measurement. */
export const onALine = (values: readonly number[]): string => values.map((value) => Math.round(value)).join(' ')

export const median = (values: readonly number[]): number => quantile(values, 0.5)

import type { LeftOut, LeftOutFindings, LinkReport, ReferenceFindings } from '@galley/library/records'
import { countBroken } from '@galley/library/records'

/** A longer list would not be read; the counts are complete. */
export const pathsAtMost = 5_000
export const findingsAtMost = 1_000

export const leftOutOf = (leftOut: readonly LeftOut[]): LeftOutFindings => ({
  count: leftOut.length,
  list: leftOut.slice(0, findingsAtMost),
})

export const referencesOf = (links: LinkReport): ReferenceFindings => ({
  checked: links.checked,
  broken: countBroken(links),
  list: links.broken.slice(0, findingsAtMost),
})

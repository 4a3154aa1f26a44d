import type { LinkReport } from '../../../../contract/domain/broken-link.ts'
import { countBroken } from '../../../../contract/domain/broken-link.ts'
import type { LeftOut } from '../../../../contract/domain/outgoing.ts'
import type { LeftOutFindings, ReferenceFindings } from '../../../../contract/ipc/exports.ts'

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

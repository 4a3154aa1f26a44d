import type { Touched } from '../../../contract/domain/care-reports.ts'
import type { Sha256 } from '../../../contract/ids.ts'

/** How many uses of a file a finding lists. */
export const namedUses = 5

/** A shortened hash for display. */
export const shortHash = (file: Sha256 | string): string => `${file.slice(0, 12)}…`

export function inWords({ materialId, versionId, part, site }: Touched): string {
  const owner = materialId === null ? `the fonts of ${site}` : `${materialId} of ${site}`
  return `${part === null ? '' : `${part} of `}${owner}${versionId === null ? '' : `, version ${versionId}`}`
}

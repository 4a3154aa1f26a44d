import type { MaterialSummary } from '../../../contract/material.ts'

/** From when on the end of the rollback history is worth a warning. */
const warnedMs = 2 * 24 * 60 * 60 * 1000

/** Where a material stands: `ending` means that the service may soon drop its rollback history. */
export function materialStatus(
  { savedAt, session }: Pick<MaterialSummary, 'savedAt' | 'session'>,
  nowMs: number,
): 'unsaved' | 'saved' | 'ending' {
  if (savedAt === null) return 'unsaved'
  const leftMs = session === null ? 0 : Date.parse(session.keptUntil) - nowMs
  return leftMs > 0 && leftMs <= warnedMs ? 'ending' : 'saved'
}

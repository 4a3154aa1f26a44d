import type { Index } from '../db/library-index.ts'
import type { SkippedEntries } from '../views/health.ts'

/** The setting of this computer with the last skipped entry that a person has seen. */
const name = 'skipped-entries-seen'

type Ports = Pick<Index, 'refusedEntries' | 'settings'>

/** The entries of the log that every computer skips and that no person has seen on this one; null if there are none. */
export function skippedEntries({ refusedEntries, settings }: Ports): SkippedEntries | null {
  const seen = Number(settings.get(name) ?? 0)
  const unseen = refusedEntries().filter(({ position }) => position > seen)
  const [first] = unseen
  return first === undefined ? null : { count: unseen.length, first: first.position }
}

/** Dismisses the notice on this computer. Changes no rows. */
export function forgetSkippedEntries({ refusedEntries, settings }: Ports): void {
  settings.put(name, String(refusedEntries().at(-1)?.position ?? 0))
}

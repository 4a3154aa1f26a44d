import type { createSettings } from './commit/settings.ts'

/** Entries after an earlier end of the log. Later entries have taken their positions. */
export interface CutOffEntries {
  readonly kind: 'cut_off'
  readonly position: number
  readonly count: number
}

const prefix = 'cut_off:'

/** Records in `local.db` which ends of the log were lost: once the log continues, log and index no longer show it. */
export function createCutOff(settings: ReturnType<typeof createSettings>) {
  const noted = () => settings.startingWith(prefix)
  return {
    note: ({ position, count }: Omit<CutOffEntries, 'kind'>): void => settings.put(prefix + position, String(count)),
    list: (): readonly CutOffEntries[] =>
      noted().map(({ name, value }) => ({
        kind: 'cut_off',
        position: Number(name.slice(prefix.length)),
        count: Number(value),
      })),
    /** A person has given them up. */
    forget(): void {
      for (const { name } of noted()) settings.forget(name)
    },
  }
}

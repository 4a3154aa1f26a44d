import { z } from 'zod'

import type { Index } from '../db/library-index.ts'

/** The name of the setting with the exports that were made on this computer, by id. */
export const exportsMadeHereName = 'exports-made-here'
const keptAtMost = 500

/**
 * The exports whose target a person has chosen on this computer. The log of a team, or of a backup, has exports of others: a
 * path in it means another disk, so it is shown and never written to.
 */
export function exportsMadeHere(settings: Pick<Index['settings'], 'get' | 'put'>) {
  const read = (): readonly string[] => z.array(z.string()).parse(JSON.parse(settings.get(exportsMadeHereName) ?? '[]'))
  return {
    has: (id: string): boolean => read().includes(id),
    add: (id: string): void => settings.put(exportsMadeHereName, JSON.stringify([...read(), id].slice(-keptAtMost))),
  }
}

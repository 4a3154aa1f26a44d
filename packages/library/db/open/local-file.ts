import BetterSqlite3 from 'better-sqlite3'

import { databaseFiles, inspectIndex, isDamage, isSound, prepareLocal } from '../database/open.ts'
import { setAside } from './rebuild.ts'

/** The setting in `local.db` with the name of its library. Without it, a `local.db` fits any library. */
export const localLibrary = 'local_library'

/** Whether `local.db` was used with another library than the index. */
export function isLocalForeign(folder: string): boolean {
  const { index, local } = databaseFiles(folder)
  const found = inspectIndex(index)
  if (found.kind !== 'usable') return false
  const db = new BetterSqlite3(local, { readonly: true })
  try {
    const named = db.prepare<[string], string>('SELECT value FROM setting WHERE name = ?').pluck().get(localLibrary)
    return named !== undefined && named !== found.library
  } finally {
    db.close()
  }
}

/** Sets `local.db` aside and starts a new one: its list of callbacks, settings and confirmations are of other sites. */
export function replaceLocal(folder: string, now: () => Date): void {
  const { local } = databaseFiles(folder)
  setAside(local, now())
  prepareLocal(local)
}

/**
 * Migrates `local.db`. Returns true if it was recreated because it was missing, empty or damaged. `thorough` reads the whole
 * file.
 */
export function ensureLocal(folder: string, now: () => Date, thorough: boolean): boolean {
  const { local } = databaseFiles(folder)
  try {
    if (prepareLocal(local) === 'made') return true
    if (!thorough || isSound(local)) return false
  } catch (error) {
    if (!isDamage(error)) throw error
  }
  replaceLocal(folder, now)
  return true
}

import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'

/**
 * Where Electron keeps its own things: one folder per library, so that each library has one window, and two libraries
 * may be open at once. The usual library has the usual folder.
 */
export function profileFolder(usualProfile: string, library: string, usualLibrary: string): string {
  if (resolve(library) === resolve(usualLibrary)) return usualProfile
  const name = createHash('sha256').update(resolve(library)).digest('hex').slice(0, 16)
  return join(usualProfile, 'libraries', name)
}

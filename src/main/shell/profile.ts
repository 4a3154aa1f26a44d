import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'

/**
 * Electron's profile folder: one per library, so that each library has one window and two libraries can be open at once. The
 * default library has the default folder.
 */
export function profileFolder(usualProfile: string, library: string, usualLibrary: string): string {
  if (resolve(library) === resolve(usualLibrary)) return usualProfile
  const name = createHash('sha256').update(resolve(library)).digest('hex').slice(0, 16)
  return join(usualProfile, 'libraries', name)
}

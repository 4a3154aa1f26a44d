/** The folders of the project and of the caches that all checkouts share. */

import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The project's root folder. */
export const projectRoot = resolve(import.meta.dirname, '../..')

/** Scratch space inside the checkout (ignored by git): same volume as `out/`, so that a rename between the two is atomic. */
export const scratchFolder = join(projectRoot, '.cache')

/** The user's own cache folder for Galley, shared by every checkout. */
export function userCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'galley')
}

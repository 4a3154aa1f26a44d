import { isInLibrary } from '@galley/library'

import { UsageError } from './option.ts'

/** Refuses a place in a library: files written there could be mistaken for part of it. */
export async function mustBeOutsideLibraries(folder: string): Promise<void> {
  if (await isInLibrary(folder)) throw new UsageError(`${folder} is in a Galley library; choose a folder outside it`)
}

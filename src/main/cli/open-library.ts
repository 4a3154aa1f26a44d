import { MigrationError, NewerLibraryError } from '../db/migrate.ts'
import { storageReason } from '../disk/storage-reason.ts'
import type { Galley, GalleyEdges } from '../galley.ts'
import { createGalley } from '../galley.ts'
import { CommandFailure } from './command.ts'

/** Opens the library of a command. Throws CommandFailure when it is of another Galley, or its folder cannot be used. */
export async function openLibrary(edges: GalleyEdges): Promise<Galley> {
  try {
    return await createGalley(edges)
  } catch (error) {
    if (error instanceof NewerLibraryError) throw new CommandFailure('newer_library', error.message)
    if (error instanceof MigrationError) throw new CommandFailure('migration_failed', error.message)
    if (!(error instanceof Error) || !('code' in error)) throw error
    const message = `The library cannot be opened: ${storageReason(error)}. Mend that, or name another folder with --library.`
    throw new CommandFailure('library_unusable', message)
  }
}

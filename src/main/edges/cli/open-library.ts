import { causeSentence } from '../../../contract/cause.ts'
import { EarlierLibraryError, NewerLibraryError } from '../../library/db/database/other-versions.ts'
import { NoLogError } from '../../library/db/ensure-index.ts'
import { ForeignLibraryError, LibraryDamagedError } from '../../library/db/ensure-log.ts'
import { LibraryServedError } from '../../library/db/owner.ts'
import { LibraryReadOnlyError } from '../../library/db/read-only-copy.ts'
import { NoIndexError } from '../../library/db/rewrite-log.ts'
import { MembershipError, UnfinishedJoinError } from '../../library/team-bucket/membership.ts'
import { storageCause } from '../../platform/disk/storage-reason.ts'
import { CommandFailure } from './command.ts'
import type { CreateLibrary, LibraryOptions, LibraryPorts } from './ports.ts'

/**
 * Opens the library of a command. Throws CommandFailure if another Galley version wrote it, or if its folder is unusable.
 */
export async function openLibrary(create: CreateLibrary, options: LibraryOptions): Promise<LibraryPorts> {
  try {
    const galley = await create(options)
    // Commands show the newest state of the team, as far as its bucket can be reached.
    await galley.team?.sync()
    return galley
  } catch (error) {
    throw openingFailure(error)
  }
}

/** The command failure for a library that could not be opened. Bugs are returned unchanged. */
export function openingFailure(error: unknown): unknown {
  if (error instanceof LibraryReadOnlyError) return error
  if (error instanceof NewerLibraryError) return new CommandFailure('newer_library', error.message)
  if (error instanceof EarlierLibraryError) return new CommandFailure(error.code, error.message)
  if (
    error instanceof LibraryDamagedError ||
    error instanceof ForeignLibraryError ||
    error instanceof LibraryServedError
  )
    return new CommandFailure(error.code, error.message)
  if (error instanceof UnfinishedJoinError || error instanceof MembershipError)
    return new CommandFailure(error.code, error.message)
  if (error instanceof NoIndexError || error instanceof NoLogError) return new CommandFailure(error.code, error.message)
  // An interruption has a number for its code.
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error
  const why = storageCause(error)
  const elsewhere = why.code === 'addon_unusable' ? '' : ' Fix that, or choose another folder with --library.'
  return new CommandFailure('library_unusable', `The library cannot be opened: ${causeSentence(why)}.${elsewhere}`)
}

import {
  EarlierLibraryError,
  ForeignLibraryError,
  LibraryDamagedError,
  LibraryReadOnlyError,
  LibraryServedError,
  NewerLibraryError,
  NoIndexError,
  NoLogError,
} from '@galley/library'
import { storageCause } from '@galley/platform'
import { MembershipError, UnfinishedJoinError } from '@galley/team'
import { causeSentence } from '@galley/wire'

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

import { deleteReserve, hasReserveRoom, makeReserve } from '@galley/platform'
import type { Result } from '@galley/wire'
import { fail } from '@galley/wire'

import { openFileLock } from '../db/file-lock.ts'
import { openLibrary } from '../db/open/open-library.ts'
import { currentOwner } from '../db/owner.ts'
import type { LibraryState } from '../records/library-opening.ts'
import { openVault } from '../vault/vault.ts'
import { describeOpening } from './opening-words.ts'
import type { CarePorts } from './ports.ts'
import type { CareFailure, CareRun } from './run.ts'
import { asCareResult } from './run.ts'

interface Ports extends CarePorts {
  readonly log: (line: string) => void
}

type Work<Value> = (ports: CarePorts) => Promise<Result<Value, CareFailure>>

/** A library that accepts no saves may only be read: nothing is deleted by an index that may be wrong. */
async function whileIntact<Value>(
  state: LibraryState,
  work: () => Promise<Result<Value, CareFailure>>,
): Promise<Result<Value, CareFailure>> {
  return state === 'whole' ? work() : fail({ code: state === 'read_only' ? 'library_read_only' : state })
}

/**
 * Also works on a full disk, where not even a deletion could be logged: the reserve is deleted for the work and recreated
 * afterwards from the free space. A library that was opened read-only is reopened for the work.
 */
export function withReserve<Value>(ports: Ports, run: CareRun, work: Work<Value>): Promise<Result<Value, CareFailure>> {
  const { folder, library, log } = ports
  return asCareResult(run, async () => {
    const isReadOnly = library.state === 'read_only'
    const isFull = isReadOnly || (library.state === 'whole' && !(await hasReserveRoom(folder)))
    if (!isFull) return whileIntact(library.state, () => work(ports))
    const short = { ...ports, isShort: true }
    if (await deleteReserve(folder))
      log('Galley deleted the disk reserve of the library to free space for maintenance.')
    else if (isReadOnly) return fail({ code: 'library_read_only' })
    try {
      return await (isReadOnly ? onReopened(short, work) : work(short))
    } finally {
      const isWhole = await makeReserve(folder, true)
      log(
        isWhole
          ? 'The disk reserve was created again.'
          : 'The disk is still full, so the disk reserve could not be fully created again.',
      )
    }
  })
}

async function onReopened<Value>(
  { folder, log, bucket, ...ports }: Ports,
  work: Work<Value>,
): Promise<Result<Value, CareFailure>> {
  const library = await openLibrary(folder, ports.now, log, null, bucket?.run)
  const { index, notes, state } = library
  const fileLock = openFileLock(folder)
  try {
    for (const note of notes) log(describeOpening(note))
    const vault = await openVault(folder, index.blobs, fileLock, bucket?.files)
    const isServedElsewhere = () => currentOwner(folder) !== null
    return await whileIntact(state, () => work({ ...ports, folder, bucket, library, index, vault, isServedElsewhere }))
  } finally {
    fileLock.close()
    library.close()
  }
}

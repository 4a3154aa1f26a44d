import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { hasRoom } from './room.ts'

/** The system's folder, and on Linux one in memory: often the system has one disk only. */
const systemFolders = (): readonly string[] => [tmpdir(), ...(process.platform === 'linux' ? ['/dev/shm'] : [])]

/** Where the size of temporary files is not known. */
const usualBytes = 4 * 1024 ** 2

/** No folder for temporary files has room for these. `code` as the disk gives it. */
class NoTemporaryRoomError extends Error {
  readonly code = 'ENOSPC'
  constructor() {
    super('No temporary folder has room')
  }
}

/**
 * Creates an empty folder for temporary files of this size where there is room for them: in the system's temporary folder,
 * in memory, or in the folders `beside`. Throws an error with the code ENOSPC if none has room.
 */
export async function temporaryFolder(
  prefix: string,
  bytes = usualBytes,
  beside: readonly string[] = [],
): Promise<string> {
  for (const place of [...systemFolders(), ...beside])
    if (await hasRoom(place, bytes)) return mkdtemp(join(place, prefix))
  throw new NoTemporaryRoomError()
}

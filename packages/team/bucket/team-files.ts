import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { FileKey } from '@galley/library'
import { CausedError, cause } from '@galley/wire'
import type { Sha256 } from '@galley/wire'

import { repeatUntilKnown } from './repeat-until-known.ts'
import type { SharedBucket } from './shared-bucket.ts'

interface TeamFilePorts {
  readonly reached: () => Promise<SharedBucket>
  readonly pathOf: (file: Sha256) => string
  /** A path on the same volume as this place, for a file that is being fetched. */
  readonly fetchPath: (place: string) => string
  /** The key of a file, according to the part of the log that this machine has read. */
  readonly keyOf: (file: Sha256) => FileKey
  /** The most bytes that a file can have. */
  readonly maxBytesOf: (file: Sha256) => number
  /** Reads the log to its end. */
  readonly follow: () => Promise<unknown>
  /** How long a reader waits for a bucket that does not answer. */
  readonly patienceMs?: number | undefined
}

/**
 * Fetches files to their paths, each once even if several callers wait for it, and only if their bytes match the hash
 * in their name.
 */
export function createTeamFiles(ports: TeamFilePorts) {
  const { reached, pathOf, fetchPath: arrival, keyOf, maxBytesOf, follow, patienceMs = 10_000 } = ports
  const inFlight = new Map<Sha256, Promise<void>>()

  async function download(file: Sha256, take: (arrived: string) => Promise<void>): Promise<void> {
    const bucket = await reached()
    const arriving = arrival(pathOf(file))
    try {
      const fetch = (key: FileKey) => repeatUntilKnown(() => bucket.fetch(key, arriving, maxBytesOf(file)), patienceMs)
      const key = keyOf(file)
      let answer = await fetch(key)
      if (answer.kind === 'absent') {
        // The file may have been dropped and stored again under another key since this machine last read the log.
        await follow()
        if (keyOf(file) !== key) answer = await fetch(keyOf(file))
      }
      if (answer.kind === 'absent') throw new CausedError(cause('team_file_missing', { name: file.slice(0, 12) }))
      if (answer.kind === 'longer' || answer.sha256 !== file)
        throw new CausedError(cause('team_file_changed', { name: file.slice(0, 12) }))
      await take(arriving)
    } finally {
      await rm(arriving, { force: true })
    }
  }

  const fetchToPath = (file: Sha256): Promise<void> => download(file, (arrived) => rename(arrived, pathOf(file)))

  return {
    /** Throws CausedError, BucketAwayError, and disk errors. */
    fetch(file: Sha256): Promise<void> {
      if (existsSync(pathOf(file))) return Promise.resolve()
      const found = inFlight.get(file)
      if (found) return found
      const fetching = fetchToPath(file).finally(() => inFlight.delete(file))
      inFlight.set(file, fetching)
      return fetching
    },
    /** Throws the same. */
    fetchAgain: fetchToPath,
    /** Throws the same. */
    verify: (file: Sha256): Promise<void> => download(file, () => Promise.resolve()),
  }
}

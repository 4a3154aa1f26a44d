import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'

import { cause, CausedError } from '../../../contract/cause.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { FileKey } from '../team/keys.ts'
import { patiently } from './patiently.ts'
import type { SharedBucket } from './shared-bucket.ts'

/** How long a reader waits for a bucket that does not answer. */
const readerPatienceMs = 10_000

interface TeamFilePorts {
  readonly reached: () => Promise<SharedBucket>
  readonly pathOf: (file: Sha256) => string
  /** The key of a file, as far as this machine has read the log. */
  readonly keyOf: (file: Sha256) => FileKey
  /** Reads the log to its end. */
  readonly follow: () => Promise<unknown>
}

/** Brings files to their places, each once however many wait for it, and only when their bytes have the hash of their name. */
export function createTeamFiles({ reached, pathOf, keyOf, follow }: TeamFilePorts) {
  const underWay = new Map<Sha256, Promise<void>>()

  async function fetched(file: Sha256): Promise<void> {
    const bucket = await reached()
    // Beside its place, so that the rename is atomic; its name is none of a file.
    const arriving = `${pathOf(file)}.${randomUUID()}.new`
    try {
      const fetch = (key: FileKey) => patiently(() => bucket.fetch(key, arriving), readerPatienceMs)
      const key = keyOf(file)
      let answer = await fetch(key)
      if (answer.kind === 'absent') {
        // It may have gone and come back under another key since this machine last read the log.
        await follow()
        if (keyOf(file) !== key) answer = await fetch(keyOf(file))
      }
      if (answer.kind === 'absent') throw new CausedError(cause('team_file_missing', { name: file.slice(0, 12) }))
      if (answer.sha256 !== file) throw new CausedError(cause('team_file_changed', { name: file.slice(0, 12) }))
      await rename(arriving, pathOf(file))
    } finally {
      await rm(arriving, { force: true })
    }
  }

  return {
    /** Throws CausedError, BucketAwayError, and what the disk throws. */
    bring(file: Sha256): Promise<void> {
      if (existsSync(pathOf(file))) return Promise.resolve()
      const found = underWay.get(file)
      if (found) return found
      const coming = fetched(file).finally(() => underWay.delete(file))
      underWay.set(file, coming)
      return coming
    },
  }
}

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'

import { cause, CausedError } from '../../../contract/cause.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import { fileKey } from '../team/keys.ts'
import { patiently } from './patiently.ts'
import type { SharedBucket } from './shared-bucket.ts'

/** How long a reader waits for a bucket that does not answer. */
const readerPatienceMs = 10_000

/** Brings files to their places, each once however many wait for it, and only when their bytes have the hash of their name. */
export function createTeamFiles(reached: () => Promise<SharedBucket>, pathOf: (file: Sha256) => string) {
  const underWay = new Map<Sha256, Promise<void>>()

  async function fetched(file: Sha256): Promise<void> {
    const bucket = await reached()
    // Beside its place, so that the rename is atomic; its name is none of a file.
    const arriving = `${pathOf(file)}.${randomUUID()}.new`
    try {
      const answer = await patiently(() => bucket.fetch(fileKey(file, 0), arriving), readerPatienceMs)
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

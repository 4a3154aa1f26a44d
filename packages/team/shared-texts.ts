import { Readable } from 'node:stream'
import { releaseTextIn, releaseTextKey, releaseTexts } from '@galley/library'
import { forEachConcurrently, isStorageFault } from '@galley/platform'

import { repeatUntilKnown } from './bucket/repeat-until-known.ts'
import type { SharedBucket } from './bucket/shared-bucket.ts'
import type { Member } from './member.ts'

/** How long a person waits for a bucket that does not answer. */
const timeLimitMs = 10_000
const atOnce = 16
const never = new AbortController().signal

/** The texts in the bucket. Throws CausedError, BucketAwayError. */
async function listed(bucket: SharedBucket): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let after = ''; ;) {
    const from = after
    const { keys } = await repeatUntilKnown(() => bucket.listAfter(releaseTexts, from), timeLimitMs)
    const last = keys.at(-1)
    if (last === undefined) return found
    for (const key of keys) {
      const text = releaseTextIn(key)
      if (text !== null) found.add(text)
    }
    after = last
  }
}

/**
 * The texts of releases in the bucket of a team, each named by its SHA-256. With them every member can publish a release
 * again. No entry of the log names them: losing one costs that, and nothing else.
 */
export function createSharedTexts({ bucket: reached, state }: Pick<Member, 'bucket' | 'state'>) {
  /** Null if the bucket cannot be asked, which changes nothing about a publication. */
  async function asked<Value>(ask: (bucket: SharedBucket) => Promise<Value>): Promise<Value | null> {
    if (state().kind === 'offline') return null
    try {
      return await ask(await reached())
    } catch (error) {
      if (!isStorageFault(error)) throw error
      return null
    }
  }

  return {
    /** Null if it is not there. The caller compares the hash. */
    read: (sha256: string): Promise<Uint8Array | null> =>
      asked(async (bucket) => {
        const answer = await repeatUntilKnown(() => bucket.get(releaseTextKey(sha256)), timeLimitMs)
        return answer.kind === 'found' ? answer.bytes : null
      }),
    async has(sha256: string): Promise<boolean> {
      const key = releaseTextKey(sha256)
      const answer = await asked((bucket) => repeatUntilKnown(() => bucket.listAfter(key, ''), timeLimitMs))
      return answer?.keys.includes(key) === true
    },
    /** Sends the texts that the bucket lacks, each group after the one before. Skips those that `bytesOf` does not have. */
    async send(
      groups: readonly (readonly string[])[],
      bytesOf: (sha256: string) => Promise<Uint8Array | null>,
    ): Promise<void> {
      await asked(async (bucket) => {
        const there = await listed(bucket)
        for (const group of groups) {
          const missing = group.filter((sha256) => !there.has(sha256))
          await forEachConcurrently(missing, atOnce, never, async (sha256) => {
            const bytes = await bytesOf(sha256)
            if (bytes === null) return
            const payload = { sha256, sizeBytes: bytes.length, read: () => Readable.from([bytes]) }
            await repeatUntilKnown(() => bucket.put(releaseTextKey(sha256), payload), timeLimitMs)
          })
        }
      })
    },
    /**
     * Removes all other texts, or only counts them. `wanted` gets the texts that the bucket lists, and returns null to remove
     * none. Each of these texts was sent after its release was written to the log. Throws CausedError, BucketAwayError.
     */
    async keepOnly(
      wanted: (there: ReadonlySet<string>) => Promise<ReadonlySet<string> | null>,
      isDryRun: boolean,
      signal: AbortSignal,
    ): Promise<number> {
      const bucket = await reached()
      const there = await listed(bucket)
      const kept = await wanted(there)
      if (kept === null) return 0
      const unneeded = [...there].filter((sha256) => !kept.has(sha256))
      if (!isDryRun)
        await forEachConcurrently(unneeded, atOnce, signal, async (sha256) => {
          await repeatUntilKnown(() => bucket.remove(releaseTextKey(sha256)), timeLimitMs)
        })
      return unneeded.length
    },
  }
}

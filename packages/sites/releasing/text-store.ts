import { randomUUID } from 'node:crypto'
import { open, readFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { isSystemError, makeFolder, sha256Of } from '@galley/platform'

const nameForm = /^[0-9a-f]{64}$/

/** The texts that all members of a team can read. Where the team cannot be asked, there are none. */
export interface SharedTexts {
  read(sha256: string): Promise<Uint8Array | null>
  has(sha256: string): Promise<boolean>
  /** Sends those that are missing there, each group after the one before. Skips those that `bytesOf` does not have. */
  send(groups: readonly (readonly string[])[], bytesOf: (sha256: string) => Promise<Uint8Array | null>): Promise<void>
  /** Removes all others, or only counts them; none if it is not known which of those there are wanted. Throws storage faults. */
  keepOnly(
    wanted: (there: ReadonlySet<string>) => Promise<ReadonlySet<string> | null>,
    isDryRun: boolean,
    signal: AbortSignal,
  ): Promise<number>
}

/**
 * The texts of releases, each named by its SHA-256, in a folder beside the library's files. With them a release can be
 * published again byte for byte, even if theme, pages or Galley have changed. Losing them does not harm the library. Those
 * that only other members of a team have are fetched when they are read.
 */
export function createTextStore(folder: string, shared: SharedTexts | null = null) {
  const shardOf = (sha256: string): string => join(folder, sha256.slice(0, 2))
  const pathOf = (sha256: string): string => join(shardOf(sha256), sha256)

  /** The bytes on this computer with this hash; null if they are missing or damaged. */
  async function readHere(sha256: string): Promise<Buffer | null> {
    try {
      const bytes = await readFile(pathOf(sha256))
      return sha256Of(bytes) === sha256 ? bytes : null
    } catch (error) {
      if (isSystemError(error)) return null
      throw error
    }
  }

  async function put(sha256: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    await makeFolder(shardOf(sha256), 0o700)
    const temporary = join(folder, `${randomUUID()}.tmp`)
    try {
      {
        await using file = await open(temporary, 'wx', 0o600)
        for await (const chunk of chunks) await file.writeFile(chunk)
      }
      // Not synced: a torn file has another hash, and counts as missing.
      await rename(temporary, pathOf(sha256))
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  /** The bytes with this hash; null if they are missing or damaged. */
  async function read(sha256: string): Promise<Buffer | null> {
    const here = await readHere(sha256)
    if (here !== null || shared === null) return here
    const fetched = await shared.read(sha256)
    if (fetched === null || sha256Of(fetched) !== sha256) return null
    try {
      await put(sha256, Readable.from([fetched]))
    } catch (error) {
      // Without room on this disk it is fetched again.
      if (!isSystemError(error)) throw error
    }
    return Buffer.from(fetched)
  }

  return {
    shared,
    readHere,
    read,
    /** Also marks the text as used: it is kept for a day, whatever happens to its release. */
    async has(sha256: string): Promise<boolean> {
      if ((await read(sha256)) === null) return false
      const now = new Date()
      try {
        await utimes(pathOf(sha256), now, now)
      } catch (error) {
        // If it cannot be marked, nothing can be deleted.
        if (!isSystemError(error)) throw error
      }
      return true
    },
    put,
    /** Deletes every text that is neither listed nor made or requested by a publication of the last day. */
    async keepOnly(wanted: ReadonlySet<string>): Promise<void> {
      for (const shard of await namesIn(folder)) {
        if (!/^[0-9a-f]{2}$/.test(shard)) continue
        for (const name of await namesIn(join(folder, shard)))
          if (nameForm.test(name) && !wanted.has(name) && (await isOld(pathOf(name))))
            await rm(pathOf(name), { force: true })
      }
    },
  }
}

const isOld = async (path: string): Promise<boolean> => Date.now() - (await stat(path)).mtimeMs > 86_400_000

export type TextStore = ReturnType<typeof createTextStore>

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return []
    throw error
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises'

import type { NewBlob } from '../../../contract/domain/changes.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { Redaction } from '../../../contract/ipc/health.ts'
import { storageReason } from '../../platform/disk/storage-reason.ts'
import { counted } from '../../platform/logging/counted.ts'
import type { RewritePorts } from './rewritten-archives.ts'
import { UnreadableArchiveError, withRewrittenArchives } from './rewritten-archives.ts'

/** Archives per change. */
const archivesAtOnce = 20

export interface RedactReport {
  readonly rewritten: number
  /** Missing or damaged archives. They stay listed for the next run. */
  readonly unread: number
}

/**
 * Removes credentials from archives that an early Galley version stored: rewrites each one, replaces it in the index, and
 * only then deletes the old file. If it is stopped or killed, the next run continues. Rejects if `signal` aborts, and with
 * disk and index errors.
 */
export async function redactArchives(
  ports: RewritePorts,
  signal: AbortSignal,
  onProgress: () => void = () => undefined,
): Promise<RedactReport> {
  const { vault, index } = ports
  const { unredactedArchives } = index
  let [rewrittenCount, unread] = [0, 0]
  const next = (after: string): readonly Sha256[] => unredactedArchives.behind(after, archivesAtOnce)
  for (let archives = next(''); archives.length > 0; archives = next(archives.at(-1) ?? '')) {
    const done: Sha256[] = []
    await withRewrittenArchives(ports, signal, async (rewrite) => {
      const rewritten: { readonly archive: Sha256; readonly kept: NewBlob }[] = []
      for (const archive of archives) {
        const kept = (await isLost(ports, archive)) ? 'unread' : await rewrite(archive, null).catch(unreadable)
        if (kept === 'unread') unread += 1
        else done.push(archive)
        if (kept !== null && kept !== 'unread') rewritten.push({ archive, kept })
      }
      rewrittenCount += rewritten.length
      return rewritten.length === 0 ? null : () => unredactedArchives.replace(rewritten)
    })
    // A backup may use the files for a while. Only replaced and dropped files are deleted.
    let left: number
    do {
      ;({ left } = await vault.deleteDropped(done, signal))
      signal.throwIfAborted()
    } while (left > 0)
    if (done.length > 0) unredactedArchives.finish(done)
    onProgress()
    await nextTurn()
  }
  return { rewritten: rewrittenCount, unread }
}

async function isLost({ index, vault }: RewritePorts, archive: Sha256): Promise<boolean> {
  const place = index.blobs.find(archive)
  return place !== null && (await vault.sizeOf(place.file)) === null
}

function unreadable(error: unknown): 'unread' {
  if (error instanceof UnreadableArchiveError) return 'unread'
  throw error
}

/**
 * Runs in the background of a listener and reports its progress. A disk error stops it until the next start and is only
 * logged.
 */
export function createRedaction({ log, ...ports }: RewritePorts & { readonly log: (line: string) => void }) {
  const { unredactedArchives } = ports.index
  const listeners = new Set<(state: Redaction | null) => void>()
  let total = unredactedArchives.count()
  let kind: Redaction['kind'] = 'waiting'

  function state(): Redaction | null {
    const left = unredactedArchives.count()
    total = Math.max(total, left)
    return left === 0 ? null : { kind, left, total }
  }
  function become(next: Redaction['kind']): void {
    kind = next
    for (const listener of listeners) listener(state())
  }
  return {
    state,
    onState(listener: (state: Redaction | null) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async run(signal: AbortSignal): Promise<void> {
      if (state() === null) return
      become('running')
      try {
        const { rewritten, unread } = await redactArchives(ports, signal, () => become('running'))
        if (rewritten > 0) log(`credentials were removed from ${counted(rewritten, 'stored archive')}`)
        if (unread > 0)
          log(
            `${counted(unread, 'stored archive')} cannot be read and may contain credentials: run galley fsck to see which`,
          )
        become('unreadable')
      } catch (error) {
        if (!signal.aborted) log(`credentials were not removed from all stored archives: ${storageReason(error)}`)
        become('waiting')
      }
    },
  }
}

export type ArchiveRedaction = ReturnType<typeof createRedaction>

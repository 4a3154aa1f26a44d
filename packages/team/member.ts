import { setTimeout as delay } from 'node:timers/promises'
import type { Index, OpenedLibrary, Vault } from '@galley/library'
import type { TeamReadiness } from '@galley/library/records'
import { counted, storageCause, storageReason, withTimeLimit } from '@galley/platform'
import type { Cause } from '@galley/wire'
import { cause, causeSentence, isOfBucket } from '@galley/wire'

import { createBucketTest } from './bucket-test.ts'
import type { TeamConnection } from './bucket/connection.ts'
import type { Membership } from './bucket/membership.ts'
import { hasCacheLimits, maintainCache } from './cache.ts'
import { createTeamCheckpoints } from './team-checkpoints.ts'
import { offlineKind } from './team-fault.ts'
import { markerOf } from './team-marker.ts'

/** Whether this machine is up to date with its team; if it is offline, since when and why. */
export type TeamState =
  | { readonly kind: 'unknown' | 'current' }
  | { readonly kind: 'offline'; readonly since: Date; readonly why: Cause }

function readinessOf(found: TeamState, { isRefusing, refusal }: ReturnType<typeof createBucketTest>): TeamReadiness {
  if (found.kind === 'offline') return { state: `team_${offlineKind(found.why)}`, why: found.why }
  if (found.kind === 'unknown') return { state: 'team_offline', why: cause('bucket_away') }
  return isRefusing() ? { state: 'team_read_only', why: refusal()?.why ?? cause('bucket_denied') } : { state: 'ready' }
}

/** A fault of this machine, such as a full disk, says nothing about the bucket. */
const isBucketAway = (found: TeamState): boolean => found.kind === 'offline' && isOfBucket(found.why)

export interface MemberPorts {
  readonly folder: string
  readonly membership: Membership
  readonly connection: TeamConnection
  readonly library: OpenedLibrary
  readonly index: Index
  readonly now: () => Date
  readonly log: (line: string) => void
  readonly vault: Vault
  /** Called after entries of other members were applied. */
  readonly changed: () => void
}

/** How often the bucket is checked for new entries. */
const activeMs = 2_000
const idleMs = 30_000
/** How long work on this machine counts as activity. */
const activityMs = 300_000
/** Readers of unknown files share one synchronization within this time. */
const sharedSyncMs = 1_000
/** Health probes, which never stop coming, share one as well; each waits for it only this long. */
const probeSyncMs = 5_000
const probeWaitMs = 2_000
/** How often lists are read again while entries arrive. */
const showEveryMs = 1_000
const maintainEveryMs = 3_600_000

/** A fault of this machine, such as a full disk, keeps it from following a bucket that responds. */
const unfollowed = (why: Cause): string =>
  `${isOfBucket(why) ? 'offline from the team' : 'this computer cannot store what the team writes'}: ${causeSentence(why)}`

/** Fetches new entries of the team, one synchronization at a time. */
function createSync({ membership, connection, index, now, log, changed }: MemberPorts, caughtUp: () => Promise<void>) {
  const { followTeam: follow, teamMarks: marks } = index
  if (follow === null || marks === null) throw new Error('A member was opened as a library of its own')
  const followTeam: NonNullable<Index['followTeam']> = follow
  const teamMarks: NonNullable<Index['teamMarks']> = marks
  teamMarks.letWait(!membership.isReadOnly)
  let state: TeamState = { kind: 'unknown' }
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  let isClosed = false
  const listeners = new Set<() => void>()
  const tell = (): void => {
    for (const listener of listeners) listener()
  }

  /** Lists show the entries of a long synchronization as they come. */
  async function followShown(): Promise<number> {
    let shown = index.commit.mark().position
    const timer = setInterval(() => {
      const { position } = index.commit.mark()
      if (position > shown) changed()
      shown = position
    }, showEveryMs)
    // A single attempt: callers continue with what this machine has.
    return followTeam(0).finally(() => clearInterval(timer))
  }

  async function syncOnce(): Promise<void> {
    tell()
    try {
      const taken = await followShown()
      await caughtUp()
      const sent = await teamMarks.send()
      if (taken + sent > 0) changed()
      if (state.kind === 'offline')
        log(isOfBucket(state.why) ? 'the bucket of the team responds again' : 'the team is followed again')
      state = { kind: 'current' }
    } catch (error) {
      // The connection was closed during the synchronization.
      if (isClosed) return
      const why = storageCause(error)
      if (why.code === 'unexpected') throw error
      if (state.kind !== 'offline' || state.why.code !== why.code) log(unfollowed(why))
      state = { kind: 'offline', since: state.kind === 'offline' ? state.since : now(), why }
    }
  }

  const syncNow = (): Promise<void> =>
    (running = syncOnce().finally(() => {
      running = null
      tell()
    }))

  return {
    state: (): TeamState => state,
    isSyncing: (): boolean => running !== null,
    /** Calls the listener when a synchronization starts and ends, until the returned function is called. */
    onSync(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Starts a synchronization after this call; concurrent callers share it. Rejects only because of a bug. */
    sync(): Promise<void> {
      if (isClosed) return Promise.resolve()
      if (running === null) return syncNow()
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = null
          return syncNow()
        })
      return next
    },
    /** Stops the current synchronization by closing its connection, and starts no more. */
    async close(): Promise<void> {
      isClosed = true
      await connection.close()
      await running
    },
  }
}

/**
 * Repeats work every two seconds while there is activity, otherwise every 30, until the returned function is called.
 */
function regularly(work: () => Promise<void>, isActive: () => boolean): () => void {
  let timer: NodeJS.Timeout
  let isOver = false
  const again = (): void => {
    if (isOver) return
    let waitedMs = 0
    timer = setInterval(() => {
      waitedMs += activeMs
      if (waitedMs < idleMs && !isActive()) return
      clearInterval(timer)
      void work().finally(again)
    }, activeMs)
  }
  again()
  return () => {
    isOver = true
    clearInterval(timer)
  }
}

/** The background work of a member that is up to date: maintains its cache, and sends checkpoints if it may write. */
function createUpkeep({ connection, library, index, log }: MemberPorts, cache: Parameters<typeof maintainCache>[0]) {
  const sendCheckpoint = createTeamCheckpoints(library, index, connection)
  let maintainedMs = Number.NEGATIVE_INFINITY

  async function maintainCacheRegularly(signal: AbortSignal): Promise<void> {
    if (performance.now() - maintainedMs < maintainEveryMs || !hasCacheLimits(index)) return
    maintainedMs = performance.now()
    const { damaged } = await maintainCache(cache, signal)
    if (damaged > 0)
      log(
        `${counted(damaged, 'file')} of the team ${damaged === 1 ? 'is' : 'are'} damaged or missing in the bucket, so the copies here were kept. Run galley fsck --repair`,
      )
  }

  return async (signal: AbortSignal, isReadOnly: boolean): Promise<void> => {
    await maintainCacheRegularly(signal).catch((error: unknown) => {
      if (!signal.aborted) log(`the cache of files was not maintained: ${storageReason(error)}`)
    })
    if (isReadOnly) return
    await sendCheckpoint(signal).catch((error: unknown) => {
      if (!signal.aborted) log(`no checkpoint was sent to the bucket: ${storageReason(error)}`)
    })
  }
}

/** A library as a member of its team: follows the log and knows whether it is up to date. */
export function createMember(ports: MemberPorts) {
  const { connection, index, vault, now } = ports
  const { state, isSyncing, onSync, sync, close } = createSync(ports, () => bucketTest.caughtUp(marker.write))
  const marker = markerOf(connection, index.library())
  let syncedMs = Number.NEGATIVE_INFINITY
  /** The next synchronization for readers, which has not started yet. */
  let nextLook: Promise<void> | null = null
  let workedMs = Number.NEGATIVE_INFINITY
  const bucketTest = createBucketTest(ports, () => isBucketAway(state()))
  const cache = { index, vault, bucket: connection.reached, now }
  const upkeep = createUpkeep(ports, cache)

  async function nextLookForReaders(): Promise<void> {
    await delay(Math.max(0, syncedMs + sharedSyncMs - performance.now()))
    nextLook = null
    syncedMs = performance.now()
    await sync()
  }

  return {
    get membership(): Membership {
      return bucketTest.membership()
    },
    state,
    isSyncing,
    onSync,
    /** Applies new entries of the team. `state` shows whether the bucket could be reached. */
    sync,
    /**
     * Tests the bucket with racing requests again, because someone may have turned on versioning. Throws CausedError if
     * the bucket can no longer hold the library; nothing is sent to it from then on. A bucket that cannot be reached is
     * tested once it can be.
     */
    checkBucket: bucketTest.run,
    /** Asks again whether the keys may write, because their rights may have changed. Throws like `checkBucket`. */
    askForRights: bucketTest.askAgain,
    /** Since when the bucket refuses writes, and why; null if it accepts them, or was not asked. */
    refusal: bucketTest.refusal,
    /** Whether the keys can only read; if they could, they are asked again. Throws the same. */
    async isReader(): Promise<boolean> {
      if (bucketTest.membership().isReadOnly) await bucketTest.askAgain()
      return bucketTest.membership().isReadOnly
    },
    /** Synchronizes for work on this machine, and follows the team closely for a while afterwards. */
    syncForWork(): Promise<void> {
      workedMs = performance.now()
      return sync()
    },
    /** Synchronizes after this call, at most once a second. False if the team cannot be asked. */
    async syncForReader(): Promise<boolean> {
      nextLook ??= nextLookForReaders()
      // A bucket that does not answer would block all readers of unknown files.
      if (state().kind !== 'offline') await nextLook
      return state().kind !== 'offline'
    },
    /** Whether a save could be stored now; a bucket that has not answered yet counts as one that cannot be reached. */
    async readiness(): Promise<TeamReadiness> {
      if (performance.now() - syncedMs >= probeSyncMs) {
        syncedMs = performance.now()
        const look = async (): Promise<void> => {
          await sync()
          // Somebody may have allowed the keys to write again, or made room.
          if (bucketTest.isRefusing()) await bucketTest.askAgain().catch(() => sync())
        }
        await withTimeLimit(probeWaitMs, look(), undefined)
      }
      return readinessOf(state(), bucketTest)
    },
    /** Follows the team until the returned function is called. `isWatched`: a window shows the library. */
    keepFollowing(isWatched: () => boolean = () => false): () => void {
      const closing = new AbortController()
      const { signal } = closing
      const followOnce = async (): Promise<void> => {
        await sync()
        if (signal.aborted || state().kind !== 'current') return
        // The sync after a refusal says why.
        if (bucketTest.isDue()) await bucketTest.run().catch(() => sync())
        if (!signal.aborted) await upkeep(signal, bucketTest.membership().isReadOnly)
      }
      const stop = regularly(followOnce, () => isWatched() || performance.now() - workedMs < activityMs)
      return () => {
        stop()
        closing.abort()
      }
    },
    /** Fetches files that are kept offline, and frees space above the limit. Throws what `maintainCache` throws. */
    maintainCache: (signal: AbortSignal) => maintainCache(cache, signal),
    bucket: connection.reached,
    run: connection.run,
    marker,
    close,
  }
}

export type Member = ReturnType<typeof createMember>

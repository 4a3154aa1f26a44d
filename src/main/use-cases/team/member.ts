import type { Index } from '../../library/db/library-index.ts'
import type { OpenedLibrary } from '../../library/db/open-library.ts'
import type { TeamConnection } from '../../library/team-bucket/connection.ts'
import type { Membership } from '../../library/team-bucket/membership.ts'
import { writeMembership } from '../../library/team-bucket/membership.ts'
import type { Vault } from '../../library/vault/vault.ts'
import { probeBucket } from '../../library/team-bucket/probe.ts'
import { storageCause, storageReason } from '../../platform/disk/storage-reason.ts'
import { within } from '../../platform/timing/within.ts'
import type { Cause } from '../../../contract/cause.ts'
import { causeSentence } from '../../../contract/cause.ts'
import { hasCacheLimits, tendCache } from './cache.ts'
import { createTeamCheckpoints } from './team-checkpoints.ts'

/** Whether this machine is with its team: since when it is not, and why. */
export type TeamState =
  | { readonly kind: 'unknown' | 'current' }
  | { readonly kind: 'offline'; readonly since: Date; readonly why: Cause }

export interface MemberPorts {
  readonly folder: string
  readonly membership: Membership
  readonly connection: TeamConnection
  readonly library: OpenedLibrary
  readonly index: Index
  readonly now: () => Date
  readonly log: (line: string) => void
  readonly vault: Vault
  /** Called when entries of others were applied. */
  readonly changed: () => void
}

/** How often the bucket is asked for news. */
const activeMs = 2_000
const idleMs = 30_000
/** Work on this machine counts as activity for so long. */
const activityMs = 300_000
/** Readers of files that nobody knows share a look at the bucket. */
const sharedLookMs = 1_000
/** So do probes, which come all day; each waits for a look so long at most. */
const probedLookMs = 5_000
const probeWaitMs = 2_000
const tendMs = 3_600_000

/** Looks at the bucket for what the team has written, one look at a time. */
function createLooks({ membership, connection, index, now, log, changed }: MemberPorts) {
  const { followTeam: follow, teamMarks: marks } = index
  if (follow === null || marks === null) throw new Error('A member was opened as a library of its own')
  const followTeam: NonNullable<Index['followTeam']> = follow
  const teamMarks: NonNullable<Index['teamMarks']> = marks
  if (membership.isReadOnly) teamMarks.holdNone()
  let state: TeamState = { kind: 'unknown' }
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  let isClosed = false
  const listeners = new Set<() => void>()
  const tell = (): void => {
    for (const listener of listeners) listener()
  }

  async function lookOnce(): Promise<void> {
    tell()
    try {
      // One try: whoever waits for this goes on with what this machine knows.
      const taken = await followTeam(0)
      const sent = await teamMarks.send()
      if (taken + sent > 0) changed()
      if (state.kind === 'offline') log('the bucket of the team answers again')
      state = { kind: 'current' }
    } catch (error) {
      // The connection was ended under it.
      if (isClosed) return
      const why = storageCause(error)
      if (why.code === 'unexpected') throw error
      if (state.kind !== 'offline' || state.why.code !== why.code) log(`offline from the team: ${causeSentence(why)}`)
      state = { kind: 'offline', since: state.kind === 'offline' ? state.since : now(), why }
    }
  }

  const lookNow = (): Promise<void> =>
    (running = lookOnce().finally(() => {
      running = null
      tell()
    }))

  return {
    state: (): TeamState => state,
    isLooking: (): boolean => running !== null,
    /** Called when a look begins and ends, until the returned function is called. */
    onLook(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** A look that begins after this call; looks that are asked for meanwhile share one. Rejects with bugs only. */
    look(): Promise<void> {
      if (isClosed) return Promise.resolve()
      if (running === null) return lookNow()
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = null
          return lookNow()
        })
      return next
    },
    /** Ends what is under way, by ending its connection, and looks no more. */
    async close(): Promise<void> {
      isClosed = true
      await connection.close()
      await running
    },
  }
}

/** Does something every two seconds while somebody is active, and every 30 otherwise, until the returned function is called. */
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

/** A library as a member of its team: follows the log, and says whether it is up to date. */
export function createMember(ports: MemberPorts) {
  const { folder, connection, library, index, vault, now, log } = ports
  let { membership } = ports
  const { state, isLooking, onLook, look, close } = createLooks(ports)
  const sendCheckpoint = createTeamCheckpoints(library, index, connection)
  let lookedMs = Number.NEGATIVE_INFINITY
  let workedMs = Number.NEGATIVE_INFINITY
  let tendedMs = Number.NEGATIVE_INFINITY
  const cache = { index, vault, bucket: connection.reached, now }

  async function tendNowAndThen(signal: AbortSignal): Promise<void> {
    if (performance.now() - tendedMs < tendMs || !hasCacheLimits(index)) return
    tendedMs = performance.now()
    await tendCache(cache, signal)
  }

  return {
    get membership(): Membership {
      return membership
    },
    state,
    isLooking,
    onLook,
    /** Applies what the team has written by now. What the bucket says is in `state`. */
    look,
    /**
     * Races requests in the bucket again: somebody may have turned versions on since. Throws CausedError when it cannot
     * hold the library any more, and nothing is sent to it from then on.
     */
    async checkBucket(): Promise<void> {
      if (membership.isReadOnly) return
      try {
        const rounds = await probeBucket(await connection.reached())
        membership = { ...membership, probe: { at: now().toISOString(), rounds } }
        writeMembership(folder, membership)
      } catch (error) {
        const why = storageCause(error)
        if (why.code === 'unexpected') throw error
        // A bucket that is away says nothing about itself.
        if (why.code !== 'bucket_unsuitable') return
        connection.refuse(why)
        throw error
      }
    },
    /** The same as a look, for work of this machine, after which the team is followed closely for a while. */
    lookForWork(): Promise<void> {
      workedMs = performance.now()
      return look()
    },
    /** The same once a second at most. */
    async lookForReader(): Promise<void> {
      if (performance.now() - lookedMs < sharedLookMs) return
      lookedMs = performance.now()
      await look()
    },
    /**
     * Whether a save could be stored now. False while the bucket does not answer, or not well, before it has answered for
     * the first time, and where the keys may not write.
     */
    async canStore(): Promise<boolean> {
      if (membership.isReadOnly) return false
      if (performance.now() - lookedMs >= probedLookMs) {
        lookedMs = performance.now()
        await within(probeWaitMs, look(), undefined)
      }
      return state().kind === 'current'
    },
    /** Follows the team until the returned function is called; `isWatched`: somebody looks at the library. */
    keepFollowing(isWatched: () => boolean = () => false): () => void {
      const closing = new AbortController()
      const { signal } = closing
      const followOnce = async (): Promise<void> => {
        await look()
        if (signal.aborted || state().kind !== 'current') return
        await tendNowAndThen(signal).catch((error: unknown) => {
          if (!signal.aborted) log(`the files kept here were not tended: ${storageReason(error)}`)
        })
        if (membership.isReadOnly) return
        await sendCheckpoint(signal).catch((error: unknown) => {
          if (!signal.aborted) log(`no checkpoint was sent to the bucket: ${storageReason(error)}`)
        })
      }
      const stop = regularly(followOnce, () => isWatched() || performance.now() - workedMs < activityMs)
      return () => {
        stop()
        closing.abort()
      }
    },
    /** Fetches what is kept offline, and frees what is above the limit. Throws what `tendCache` does. */
    tend: (signal: AbortSignal) => tendCache(cache, signal),
    bucket: connection.reached,
    close,
  }
}

export type Member = ReturnType<typeof createMember>

import type { Index } from '../../library/db/library-index.ts'
import type { OpenedLibrary } from '../../library/db/open-library.ts'
import type { TeamConnection } from '../../library/team-bucket/connection.ts'
import type { Membership } from '../../library/team-bucket/membership.ts'
import { storageCause, storageReason } from '../../platform/disk/storage-reason.ts'
import type { Cause } from '../../../contract/cause.ts'
import { causeSentence } from '../../../contract/cause.ts'
import { createTeamCheckpoints } from './team-checkpoints.ts'

/** Whether this machine is with its team: since when it is not, and why. */
export type TeamState =
  | { readonly kind: 'unknown' | 'current' }
  | { readonly kind: 'offline'; readonly since: Date; readonly why: Cause }

export interface MemberPorts {
  readonly membership: Membership
  readonly connection: TeamConnection
  readonly library: OpenedLibrary
  readonly index: Index
  readonly now: () => Date
  readonly log: (line: string) => void
  /** Told when entries of others were applied. */
  readonly changed: () => void
}

/** How often the bucket is asked for news. */
const activeMs = 2_000
const idleMs = 30_000
/** Work on this machine counts as activity for so long. */
const activityMs = 300_000
/** Readers of files that nobody knows share a look at the bucket. */
const sharedLookMs = 1_000

/** A library as a member of its team: follows the log, and says whether it is up to date. */
export function createMember({ membership, connection, library, index, now, log, changed }: MemberPorts) {
  const sendCheckpoint = createTeamCheckpoints(library, index, connection.reached)
  const { followTeam: follow } = index
  if (follow === null) throw new Error('A member was opened as a library of its own')
  const followTeam: NonNullable<Index['followTeam']> = follow
  let state: TeamState = { kind: 'unknown' }
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  let lookedMs = Number.NEGATIVE_INFINITY
  let workedMs = Number.NEGATIVE_INFINITY

  async function lookOnce(forMs: number): Promise<void> {
    try {
      if ((await followTeam(forMs)) > 0) changed()
      if (state.kind === 'offline') log('the bucket of the team answers again')
      state = { kind: 'current' }
    } catch (error) {
      const why = storageCause(error)
      if (why.code === 'unexpected') throw error
      if (state.kind !== 'offline' || state.why.code !== why.code) log(`offline from the team: ${causeSentence(why)}`)
      state = { kind: 'offline', since: state.kind === 'offline' ? state.since : now(), why }
    }
  }

  /** A look that begins after this call; looks that are asked for meanwhile share one. */
  function look(forMs = 0): Promise<void> {
    if (running === null) return (running = lookOnce(forMs).finally(() => (running = null)))
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null
        return (running = lookOnce(forMs).finally(() => (running = null)))
      })
    return next
  }

  return {
    membership,
    state: (): TeamState => state,
    /** Applies what the team has written by now. What the bucket says is in `state`; rejects with bugs only. */
    look,
    /** The same for work of this machine, after which the team is followed closely for a while. */
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
    /** Follows the team until the returned function is called; `isWatched`: somebody looks at the library. */
    keepFollowing(isWatched: () => boolean = () => false): () => void {
      let timer: NodeJS.Timeout
      let isOver = false
      const closing = new AbortController()
      const followOnce = async (): Promise<void> => {
        await look()
        if (isOver || state.kind !== 'current' || membership.isReadOnly) return
        await sendCheckpoint(closing.signal).catch((error: unknown) => {
          if (!isOver) log(`no checkpoint was sent to the bucket: ${storageReason(error)}`)
        })
      }
      const isActive = (): boolean => isWatched() || performance.now() - workedMs < activityMs
      const again = (): void => {
        if (isOver) return
        let waitedMs = 0
        timer = setInterval(() => {
          waitedMs += activeMs
          if (waitedMs < idleMs && !isActive()) return
          clearInterval(timer)
          void followOnce().finally(again)
        }, activeMs)
      }
      again()
      return () => {
        isOver = true
        closing.abort()
        clearInterval(timer)
      }
    },
    bucket: connection.reached,
    close: connection.close,
  }
}

export type Member = ReturnType<typeof createMember>

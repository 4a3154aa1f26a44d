import type { Index } from '@galley/library'
import type { TeamSyncState, TeamView } from '@galley/library/records'
import { isStorageFault } from '@galley/platform'

import { racersIn } from './bucket/probe.ts'
import type { Member } from './member.ts'
import { offlineKind } from './team-fault.ts'
import { entriesAfter } from './team-status.ts'

/** How often the state is checked; missing entries are counted if a synchronization takes longer. */
const watchEveryMs = 1_000

interface Ports {
  readonly team: Member | null
  readonly index: Pick<Index, 'commit' | 'teamMarks'>
}

/** The state of a library in its team, for the windows. */
export function createTeamState({ team, index }: Ports) {
  /** The last known end of the log in the bucket. */
  let end = 0
  const behind = (): number => end - index.commit.mark().position

  function syncState({ state, isSyncing, refusal, membership }: Member): TeamSyncState {
    const found = state()
    if (found.kind === 'offline') {
      return { kind: offlineKind(found.why), since: found.since.toISOString(), why: found.why }
    }
    const refused = refusal()
    if (refused !== null && !membership.isReadOnly)
      return { kind: 'refusing', since: refused.since.toISOString(), why: refused.why }
    if (isSyncing() && behind() > 0) return { kind: 'behind', entries: behind() }
    return { kind: found.kind === 'unknown' ? 'looking' : 'current' }
  }

  function view(): TeamView | null {
    if (team === null) return null
    const { bucket, prefix, endpoint, region, isReadOnly, probe } = team.membership
    const marks = index.teamMarks?.list() ?? []
    const undecided = marks.filter(({ mark }) => mark.theirs !== null).length
    return {
      bucket,
      prefix: prefix.replace(/\/$/, ''),
      endpoint,
      region,
      isReadOnly,
      probe: { at: probe.at, requests: racersIn(probe.rounds) },
      syncState: syncState(team),
      waiting: marks.length - undecided + (index.teamMarks?.comments() ?? 0),
      undecided,
    }
  }

  /** Reports every change until the returned function is called. */
  function watch(listener: (view: TeamView | null) => void): () => void {
    if (team === null) return () => undefined
    let reported = ''
    let isCounting = false
    let isOver = false
    const reportChange = (): void => {
      if (isOver) return
      const next = view()
      const text = JSON.stringify(next)
      if (text === reported) return
      reported = text
      listener(next)
    }
    const count = async (): Promise<void> => {
      const { position } = index.commit.mark()
      try {
        const entries = await entriesAfter(await team.bucket(), position)
        end = position + entries
      } catch (error) {
        // The synchronization itself reports the error.
        if (!isStorageFault(error)) throw error
      }
    }
    let wasSyncing = false
    const timer = setInterval(() => {
      // Most synchronizations end at once. One that lasts has many entries to apply.
      if (team.isSyncing() && wasSyncing && behind() <= 0 && !isCounting) {
        isCounting = true
        void count().finally(() => (isCounting = false))
      }
      wasSyncing = team.isSyncing()
      reportChange()
    }, watchEveryMs)
    const stop = team.onSync(reportChange)
    return () => {
      isOver = true
      clearInterval(timer)
      stop()
    }
  }

  return { view, watch }
}

export type TeamStateFeed = ReturnType<typeof createTeamState>

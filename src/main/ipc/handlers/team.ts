import type { Index, TaskContext, Tasks } from '@galley/library'
import type { Answer } from '@galley/library/records'
import type { Member, TeamKeys, TeamWork } from '@galley/team'
import {
  TeamFailure,
  changeTeamKeys,
  importLibrary,
  leaveTeam,
  racersIn,
  refusal,
  teamFault,
  testLocation,
  decideChange,
} from '@galley/team'
import { fail, ok } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { Handlers } from '../../../ipc/calls.ts'
import type { teamCalls } from '../../../ipc/team.ts'
import { conflictsAtMost } from '../../../ipc/team.ts'
import type { Questions } from '../questions.ts'
import { notConfirmed } from './not-chosen.ts'
import { readKeys, readTeamLocation } from './team-form.ts'
import { joinHandlers } from './team-join.ts'
import type { MayUseTeam, TeamEdges, TeamPorts } from './team-ports.ts'

interface Ports {
  readonly index: Index
  readonly team: Member | null
}

/** Calls about changes that conflict with the team's. `changed`: lists may show other values. */
function teamConflictHandlers(
  { index, team }: Ports,
  changed: () => void,
): Pick<Handlers, 'teamConflicts' | 'decideTeamConflict'> {
  return {
    teamConflicts: () => index.teamConflicts(conflictsAtMost),
    async decideTeamConflict({ id, take }) {
      if (team === null) return fail(refusal({ code: 'not_a_member' }))
      // A change that only waits for the bucket needs no decision: no other value is known yet.
      if ((index.teamMarks?.find(id)?.mark.theirs ?? null) === null) return fail(refusal({ code: 'unknown_change' }))
      try {
        await decideChange({ index, team }, id, take)
      } catch (error) {
        if (!(error instanceof TeamFailure)) throw error
        return fail(refusal(error))
      }
      changed()
      return ok(null)
    },
  }
}

/** Calls about the team of a library. No answer contains keys. */
export function teamHandlers(ports: TeamPorts, edges: TeamEdges): HandlersOf<typeof teamCalls> {
  const { team, teamState, tasks, keepTeamKeys } = ports
  const { questions, reopen } = edges
  const mayUse = askedOnce(questions)

  const keeping = (keys: TeamKeys) => async (member: string) => {
    if (!(await keepTeamKeys(member, keys)).ok) throw new TeamFailure('secrets_unavailable')
  }

  return {
    readTeam: teamState.view,
    async syncTeam() {
      await team?.sync()
      // The sync after a refusal says why.
      await team?.askForRights().catch(() => team.sync())
      return teamState.view()
    },
    ...joinHandlers(ports, edges, mayUse),
    ...teamConflictHandlers(ports, edges.changed),
    async testTeamPlace({ what, ...form }) {
      const [place, keys] = [readTeamLocation(form.place), readKeys(form.keys)]
      if (!place.ok) return place
      if (!keys.ok) return keys
      if (!(await mayUse(what, form.place))) return notConfirmed
      const shared = what === 'import' ? ports.index.library() : null
      return caught(what, async () => {
        const rounds = await testLocation({ place: place.value, network: ports.network, keys: keys.value, shared })
        return { requests: racersIn(rounds) }
      })
    },
    async startTeamImport(form) {
      const [place, keys] = [readTeamLocation(form.place), readKeys(form.keys)]
      if (!place.ok) return place
      if (!keys.ok) return keys
      if (team !== null) return fail(refusal({ code: 'already_member' }))
      // Otherwise this would be noticed only after all files were sent.
      if (ports.listener.state().kind === 'elsewhere') return fail(refusal({ code: 'library_in_use' }))
      if (!(await mayUse('import', form.place))) return notConfirmed
      const task = tasks.start('teamImport', {}, (context) =>
        withoutListener(ports, edges, 'import', async (stopListener) => {
          const given = { place: place.value, keys: keys.value, keepKeys: keeping(keys.value), isNew: false }
          await importLibrary(ports, { ...given, ...importProgress(context), stopListener })
          return null
        }),
      )
      void reopenAfter(tasks, task, reopen)
      return ok({ task })
    },
    async startTeamLeave({ fetchAll }) {
      if (team === null) return fail(refusal({ code: 'not_a_member' }))
      if (!(await questions.mayLeaveTeam(fetchAll))) return ok(null)
      const task = tasks.start('teamLeave', {}, ({ signal, progress }) =>
        withoutListener(ports, edges, 'leave', async (stopListener) => {
          await stopListener()
          const onProgress = (done: number, total: number): void =>
            progress({ step: 'copying', done, total, unit: 'files' })
          const filesMissing = await leaveTeam({ ...ports, team }, { fetchAll, signal, onProgress })
          // The library has left, whether or not the keychain forgets the keys.
          await keepTeamKeys(team.membership.member, null)
          return { filesMissing }
        }),
      )
      void reopenAfter(tasks, task, reopen)
      return ok({ task })
    },
    async changeTeamKeys(form) {
      const keys = readKeys(form)
      if (!keys.ok) return keys
      if (team === null) return fail(refusal({ code: 'not_a_member' }))
      // The library is reopened with the new keys.
      if (tasks.isRunning()) return fail({ code: 'team_refused', state: 'tasks_running' })
      const { membership } = team
      const { folder, network, now } = ports
      const changed = await caught('keys', async () => {
        await changeTeamKeys({ folder, membership, network, now, keys: keys.value, keepKeys: keeping(keys.value) })
        return null
      })
      // After this answer.
      if (changed.ok) setImmediate(reopen)
      return changed
    },
  }
}

function askedOnce({ mayUseTeam }: Questions): MayUseTeam {
  let agreed = ''
  return async (what, place) => {
    const { bucket, prefix, endpoint, region } = place
    const asked = JSON.stringify([what, bucket, prefix, endpoint, region])
    if (asked !== agreed && !(await mayUseTeam(what, place))) return false
    agreed = asked
    return true
  }
}

function importProgress({ signal, progress }: TaskContext) {
  return {
    signal,
    onProgress: (unit: 'files' | 'entries', done: number, total: number): void =>
      progress({ step: unit === 'files' ? 'copying' : 'writing', done, total, unit }),
  }
}

/**
 * Work of which at least the last part must not be interrupted by saves: it stops the listener. If it fails, the listener
 * starts again; otherwise the library is reopened.
 */
async function withoutListener<Value>(
  { listener }: TeamPorts,
  { startListener }: TeamEdges,
  what: TeamWork,
  work: (stopListener: () => Promise<void>) => Promise<Value>,
): Promise<Answer<Value>> {
  let isToStart = false
  const stopListener = async (): Promise<void> => {
    isToStart = listener.state().kind !== 'stopped'
    await listener.stop()
  }
  let isDone = false
  try {
    const answer = await caught(what, () => work(stopListener))
    isDone = answer.ok
    return answer
  } finally {
    if (!isDone && isToStart) await startListener()
  }
}

/** The answer of work, or why it failed. Rejects because of a bug. */
async function caught<Value>(what: TeamWork, work: () => Promise<Value>): Promise<Answer<Value>> {
  try {
    return ok(await work())
  } catch (error) {
    const fault = teamFault(error, what)
    if (fault === null) throw error
    return fail(fault)
  }
}

async function reopenAfter(tasks: Tasks, task: string, reopen: () => void): Promise<void> {
  await tasks.ended(task)
  if (tasks.find(task)?.end.kind === 'done') reopen()
}

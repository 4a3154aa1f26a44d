import { realpath } from 'node:fs/promises'

import type { Handlers } from '../../../../contract/ipc/calls.ts'
import type { Answer, CallProblem } from '../../../../contract/ipc/problem.ts'
import type { TeamCalls, TeamPlaceForm } from '../../../../contract/ipc/team.ts'
import { targetSettings } from '../../../../contract/domain/target.ts'
import type { Result } from '../../../../contract/result.ts'
import { fail, ok } from '../../../../contract/result.ts'
import type { Index } from '../../../library/db/library-index.ts'
import type { OpenedLibrary } from '../../../library/db/open-library.ts'
import type { Remembered } from '../../../library/folder.ts'
import type { TeamKeys } from '../../../library/team-bucket/connection.ts'
import type { TeamPlace } from '../../../library/team-bucket/membership.ts'
import type { Vault } from '../../../library/vault/vault.ts'
import type { TaskContext, Tasks } from '../../../platform/tasks/tasks.ts'
import type { Background } from '../../../platform/threads/background.ts'
import { changeTeamKeys } from '../../../use-cases/team/change-keys.ts'
import { importLibrary } from '../../../use-cases/team/import-library.ts'
import type { TeamJobs } from '../../../use-cases/team/join-in-background.ts'
import { leaveTeam } from '../../../use-cases/team/leave-library.ts'
import type { Member } from '../../../use-cases/team/member.ts'
import type { Standing } from '../../../use-cases/team/standing.ts'
import { TeamFailure } from '../../../use-cases/team/team-failure.ts'
import { teamFault } from '../../../use-cases/team/team-fault.ts'
import type { Listening } from '../../http/listening.ts'
import type { ChosenPaths, Purpose } from '../chosen-paths.ts'
import type { Desktop } from '../desktop.ts'
import type { Questions } from '../questions.ts'
import { problemOfFolder } from './library-folder.ts'
import { notConfirmed } from './not-chosen.ts'
import { teamConflictHandlers } from './team-conflicts.ts'
import type { TeamWork } from './team-problem.ts'
import { problemOf, refused } from './team-problem.ts'
import { unknownTask } from './unknown.ts'

export interface TeamPorts {
  readonly folder: string
  readonly library: OpenedLibrary
  readonly index: Index
  readonly vault: Vault
  readonly team: Member | null
  readonly standing: Standing
  readonly tasks: Tasks
  readonly background: Background<TeamJobs>
  readonly listener: Pick<Listening, 'stop' | 'state'>
  readonly now: () => Date
  /** Stores the keys of a member's bucket; null removes them. */
  readonly keepTeamKeys: (member: string, keys: TeamKeys | null) => Promise<Result<null, unknown>>
}

export interface TeamEdges {
  readonly desktop: Desktop
  readonly chosen: ChosenPaths
  readonly questions: Questions
  readonly startListener: () => Promise<unknown>
  /** Stores the library for the next start of the app. */
  readonly rememberLibrary: (folder: string) => Promise<Remembered>
  /** Reopens the library, because its membership has changed. */
  readonly reopen: () => void
  /** Called when lists may show other values. */
  readonly changed: () => void
}

const joinFolder: Purpose = { what: 'team-folder', site: '' }

/** Calls about the team of a library. No answer contains keys. */
export function teamHandlers(ports: TeamPorts, edges: TeamEdges): Pick<Handlers, keyof TeamCalls> {
  const { team, standing, tasks, keepTeamKeys } = ports
  const { questions, reopen } = edges

  const keeping = (keys: TeamKeys) => async (member: string) => {
    if (!(await keepTeamKeys(member, keys)).ok) throw new TeamFailure('secrets_unavailable')
  }

  return {
    readTeam: standing.view,
    async lookAtTeam() {
      await team?.look()
      return standing.view()
    },
    ...joinHandlers(ports, edges),
    ...teamConflictHandlers(ports, edges.changed),
    async startTeamImport(form) {
      const [place, keys] = [readPlace(form.place), readKeys(form.keys)]
      if (!place.ok) return place
      if (!keys.ok) return keys
      if (team !== null) return fail(refused('already_member'))
      if (!(await questions.mayUseTeam('import', form.place))) return notConfirmed
      const task = tasks.start('teamImport', {}, (context) =>
        withoutListener(ports, edges, 'import', async () => {
          await importLibrary(ports, {
            ...{ place: place.value, keys: keys.value, keepKeys: keeping(keys.value), isNew: false },
            ...importProgress(context),
          })
          return null
        }),
      )
      void reopenAfter(tasks, task, reopen)
      return ok({ task })
    },
    async startTeamLeave({ fetchAll }) {
      if (team === null) return fail(refused('not_a_member'))
      if (!(await questions.mayLeaveTeam(fetchAll))) return ok(null)
      const task = tasks.start('teamLeave', {}, ({ signal, progress }) =>
        withoutListener(ports, edges, 'leave', async () => {
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
      if (team === null) return fail(refused('not_a_member'))
      const { membership } = team
      const { folder, now } = ports
      try {
        await changeTeamKeys({ ...{ folder, membership, now }, keys: keys.value, keepKeys: keeping(keys.value) })
      } catch (error) {
        const fault = teamFault(error)
        if (fault === null) throw error
        return fail(problemOf(fault, 'keys'))
      }
      // After this answer.
      setImmediate(reopen)
      return ok(null)
    },
  }
}

/** A join happens in another folder, and does not affect the open library. */
function joinHandlers(
  { folder: open, tasks, background, keepTeamKeys }: TeamPorts,
  { desktop, chosen, questions, rememberLibrary }: TeamEdges,
): Pick<Handlers, 'chooseTeamFolder' | 'startTeamJoin' | 'openJoinedLibrary'> {
  let joined: string | null = null
  return {
    async chooseTeamFolder() {
      const path = await desktop.chooseFolder('teamFolder')
      return path === null ? null : chosen.keep(joinFolder, path)
    },
    async startTeamJoin(form) {
      const [place, keys] = [readPlace(form.place), readKeys(form.keys)]
      if (!place.ok) return place
      if (!keys.ok) return keys
      const folder = form.folder === null ? null : chosen.find(joinFolder, form.folder)
      if (folder === null) return invalid('folder')
      const problem = await problemOfNewFolder(folder, open)
      if (problem !== null) return fail({ ...problem, field: 'folder' })
      if (!(await questions.mayUseTeam('join', form.place))) return notConfirmed
      const wish = { folder, place: place.value, keys: keys.value }
      const task = tasks.start('teamJoin', { target: folder }, async ({ signal, progress }) => {
        const answer = async (_: string, member: unknown) => (await keepTeamKeys(String(member), keys.value)).ok
        const done = await background.run('joinTeam', wish, { signal, progress, answer })
        if (!done.ok) return fail(problemOf(done.failure, 'join'))
        joined = folder
        return ok({ folder })
      })
      return ok({ task })
    },
    async openJoinedLibrary() {
      if (joined === null) return unknownTask
      await rememberLibrary(joined)
      desktop.relaunch()
      return ok(null)
    },
  }
}

const invalid = (field: string) => fail({ code: 'invalid_target', field, facts: { state: field } } as const)

function readPlace({ bucket, prefix, endpoint, region }: TeamPlaceForm): Answer<TeamPlace> {
  const place = { kind: 's3', bucket, prefix, endpoint, region }
  const read = targetSettings.shape.place.safeParse(place)
  if (!read.success) return invalid(String(read.error.issues[0]?.path.at(-1) ?? 'bucket'))
  if (read.data.kind !== 's3') return invalid('bucket')
  return ok({ ...{ bucket, endpoint: read.data.endpoint, region }, prefix: prefix === '' ? '' : `${prefix}/` })
}

function readKeys({ id, secret }: TeamKeys): Answer<TeamKeys> {
  const keys = { id: id.trim(), secret: secret.trim() }
  // The ID is part of a header, which allows printable ASCII only.
  if (!/^[!-~]+$/.test(keys.id) || keys.id.includes(':')) return invalid('keyId')
  return /^[!-~]+$/.test(keys.secret) ? ok(keys) : invalid('keySecret')
}

async function problemOfNewFolder(folder: string, open: string): Promise<CallProblem | null> {
  const problem = await problemOfFolder(folder)
  if (problem !== null) return problem
  // A join moves the files of an empty library aside, and this one is open.
  return (await realpath(folder)) === (await realpath(open)) ? refused('library_in_use') : null
}

function importProgress({ signal, progress }: TaskContext) {
  return {
    signal,
    onProgress: (unit: 'files' | 'entries', done: number, total: number): void =>
      progress({ step: unit === 'files' ? 'copying' : 'writing', done, total, unit }),
  }
}

/** Work that nothing else may interrupt: the listener stops. If it fails, the listener starts again; otherwise the library is reopened. */
async function withoutListener<Value>(
  { listener }: TeamPorts,
  { startListener }: TeamEdges,
  what: TeamWork,
  work: () => Promise<Value>,
): Promise<Answer<Value>> {
  const isStopped = listener.state().kind === 'stopped'
  await listener.stop()
  try {
    return ok(await work())
  } catch (error) {
    if (!isStopped) await startListener()
    const fault = teamFault(error)
    if (fault === null) throw error
    return fail(problemOf(fault, what))
  }
}

async function reopenAfter(tasks: Tasks, task: string, reopen: () => void): Promise<void> {
  await tasks.ended(task)
  if (tasks.find(task)?.end.kind === 'done') reopen()
}

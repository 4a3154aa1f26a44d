import type { TaskContext, Tasks } from '@galley/library'
import type { CallProblem } from '@galley/library/records'
import { storageCause } from '@galley/platform'
import type { Member } from '@galley/team'
import type { Cause } from '@galley/wire'
import { fail, isOfBucket } from '@galley/wire'

type Team = Pick<Member, 'membership'> | null
type TeamProblem = CallProblem & { readonly reason: Cause }

const isForbidden = ({ code }: Cause, team: Team): boolean =>
  team?.membership.isReadOnly === true && code === 'bucket_denied'

/** The problem for a change that the bucket of the team did not accept; null for any other error. */
function teamWriteProblem(error: unknown, team: Team): TeamProblem | null {
  const reason = storageCause(error)
  if (!isOfBucket(reason)) return null
  const state = isForbidden(reason, team) ? 'read_only' : reason.code === 'entry_unknown' ? 'unknown' : 'write'
  return { code: 'team_failed', reason, state }
}

/** The same for a task, which may have done a part of its work before; null for a reason of another kind. */
function teamTaskProblem(reason: Cause, team: Team): TeamProblem | null {
  if (team === null || !isOfBucket(reason)) return null
  const state = isForbidden(reason, team) ? 'task_read_only' : reason.code === 'entry_unknown' ? 'task_unknown' : 'task'
  return { code: 'team_failed', reason, state }
}

/** Failures of tasks that name a reason, which in a member may be its bucket. */
const reasonOf = (failure: CallProblem): Cause | null =>
  failure.code === 'file_failed' && 'reason' in failure ? (failure.reason as Cause) : null

/** The same tasks, which fail if what they wrote did not reach the team's bucket. */
export const withTeamTasks = <Given extends Pick<Tasks, 'start'>>(tasks: Given, team: Team): Given => {
  const start: Tasks['start'] = (kind, facts, work) =>
    tasks.start(kind, facts, async (context: TaskContext) => {
      try {
        const answer = await work(context)
        if (answer.ok) return answer
        const reason = reasonOf(answer.failure)
        return fail((reason && teamTaskProblem(reason, team)) ?? answer.failure)
      } catch (error) {
        const problem = context.signal.aborted ? null : teamTaskProblem(storageCause(error), team)
        if (problem === null) throw error
        return fail(problem)
      }
    })
  return { ...tasks, start }
}

type Handler = (input: never) => unknown

/** The same calls, which return a problem if the bucket of the team did not accept a change. */
export const withTeamAnswers = <Table extends { readonly [Name in keyof Table]: Handler }>(
  handlers: Table,
  team: Team,
): Table =>
  Object.fromEntries(
    Object.entries<Handler>(handlers).map(([name, handler]) => [
      name,
      async (input: never): Promise<unknown> => {
        try {
          return await handler(input)
        } catch (error) {
          const problem = teamWriteProblem(error, team)
          if (problem === null) throw error
          // Calls that write return a problem; calls that only read do not use the bucket.
          return fail(problem)
        }
      },
    ]),
    // The names and types are those of the table.
  ) as unknown as Table

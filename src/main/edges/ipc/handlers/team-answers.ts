import { fail } from '../../../../contract/result.ts'
import type { CallProblem } from '../../../../contract/ipc/problem.ts'
import { storageCause } from '../../../platform/disk/storage-reason.ts'
import type { Member } from '../../../use-cases/team/member.ts'

/** The problem for a change that the bucket of the team did not take; null for any other error. */
function teamWriteProblem(error: unknown, team: Pick<Member, 'membership'> | null): CallProblem | null {
  const reason = storageCause(error)
  if (!/^(?:bucket|log|team|entry)_/.test(reason.code)) return null
  const isForbidden = team?.membership.isReadOnly === true && reason.code === 'bucket_denied'
  const state = isForbidden ? 'read_only' : reason.code === 'entry_unknown' ? 'unknown' : 'write'
  return { code: 'team_failed', facts: { reason, state } }
}

type Handler = (input: never) => unknown

/** The same calls, which answer with a problem if the bucket of the team did not take a change. */
export const withTeamAnswers = <Table extends { readonly [Name in keyof Table]: Handler }>(
  handlers: Table,
  team: Pick<Member, 'membership'> | null,
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
          // Calls that write answer with a problem; calls that only read ask nothing of the bucket.
          return fail(problem)
        }
      },
    ]),
    // The names and types are those of the table.
  ) as unknown as Table

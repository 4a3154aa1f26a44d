import type { IndexWith } from '@galley/library'
import { isGone } from '@galley/library'

import type { Member } from './member.ts'
import { TeamFailure } from './team-failure.ts'

/**
 * Settles a change that waits or conflicts with the team's value: `mine` is written, now or once the bucket can be
 * reached; `theirs` drops it. Throws TeamFailure.
 */
export async function decideChange(
  { index, team }: { readonly index: IndexWith<'teamMarks'>; readonly team: Pick<Member, 'sync'> },
  id: number,
  take: 'mine' | 'theirs',
): Promise<void> {
  const marks = index.teamMarks
  const held = marks?.find(id) ?? null
  if (marks === null || held === null) throw new TeamFailure('unknown_change', id)
  if (take === 'theirs') return marks.drop(held)
  if (isGone(held)) throw new TeamFailure('change_gone', id)
  marks.insist(held)
  await team.sync()
}

import { describe, expect, test } from 'vitest'

import type { Twins } from './play.ts'
import { play } from './play.ts'

/** `npm run torture -- team-model` runs many more. */
const seeds = Number(process.env['GALLEY_TEAM_SEEDS'] ?? 500)
const seedsOfATwin = 60

const problemsOf = (from: number, to: number, twins: Twins = {}): readonly string[] => {
  for (let seed = from; seed <= to; seed += 1) {
    const problems = play(seed, twins)
    if (problems.length > 0) return [`seed ${seed}`, ...problems.slice(0, 3)]
  }
  return []
}

describe('machines that share a bucket which loses, delays and repeats requests', () => {
  test(
    'agree at every entry, and keep each acknowledged save exactly once',
    () => expect(problemsOf(1, seeds)).toEqual([]),
    60_000 + seeds * 50,
  )

  const broken: Readonly<Record<keyof Twins, string>> = {
    ignores409: 'takes 409 for a success',
    ignoresCondition: 'works on a store that ignores the condition',
    trusts412: 'takes 412 for lost without looking who has won',
    acknowledgesBeforeCreating: 'acknowledges before the entry is created',
    decidesOnce: 'does not decide again after it has lost a position',
    refusesUnseen: 'refuses before it has read the log to its end',
    deletesFoldedEntries: 'deletes an entry instead of folding it',
    skipsUploadsByHead: 'sends no file of which the bucket has an object',
    countsLostUploads: 'counts all files as sent when some are',
    reusesKeys: 'sends a file that comes back under the key that it had',
    overwritesOthers: 'overwrites what somebody else changed while it had no bucket',
    forgetsSentMarks: 'forgets a change that waited once it was sent',
    forgetsEarlierMarks: 'forgets that a change before it may have arrived',
    removesFirst: 'removes objects before the log says so',
    foldsFirst: 'folds the log before its checkpoint is in the bucket',
    leavesCheckpoints: 'leaves the checkpoints from before an erase',
    leavesLateCheckpoints: 'leaves a checkpoint that arrives when the log is folded beyond it',
    dropsUnseen: 'drops files that were named since it listed the bucket',
    ignoresDrops: 'sends a file once, whatever was dropped before its entry is created',
  }
  test.each(Object.entries(broken))('notice a machine that %s: it %s', (twin) => {
    expect(problemsOf(1, seedsOfATwin, { [twin]: true })).not.toEqual([])
  })
})

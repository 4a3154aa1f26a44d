/** The order in which test files start, and how two processes share them. */

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, from their times in a run. Whoever starts one of them last waits for it alone. */
const longest = [
  'e2e/screens.test.ts',
  'attacks/port.test.ts',
  'kill/check-after-kill.test.ts',
  'e2e/lighthouse.test.ts',
  'e2e/review-limits.test.ts',
  'e2e/whole-site.test.ts',
  'e2e/review-forms.test.ts',
  'kill/listener-kill.test.ts',
  'torture/faults-of-machines.test.ts',
  'torture/clients-and-contents.test.ts',
  'torture/memory-growth.test.ts',
  'torture/teams.test.ts',
  'e2e/health.test.ts',
  'kill/publish.test.ts',
  'e2e/tasks.test.ts',
  'e2e/drawings.test.ts',
  'cli/team-commands.test.ts',
  'library/care/damage/log.test.ts',
  'sites/releasing/s3-target.test.ts',
  'library/care/damage/index.test.ts',
  'sites/publishing/ceph.test.ts',
  'library/intake/sync-order.test.ts',
  'team/lost-objects.test.ts',
  'team/fold-and-erase.test.ts',
  'sites/releasing/ownership.test.ts',
  'team/team-faults.test.ts',
]

const rankOf = (file: string): number => {
  const rank = longest.findIndex((name) => file.endsWith(`/tests/${name}`))
  return rank < 0 ? longest.length : rank
}

/** The files of one of `count` processes: by their names alone, so that all processes agree. `index` begins with 1. */
export function shareOf(files: readonly string[], index: number, count: number): ReadonlySet<string> {
  const order = files.toSorted((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1))
  // In alternating order, so that no process gets the longer file of each pair.
  const turnOf = (at: number): number => {
    const turn = at % (2 * count)
    return turn < count ? turn : 2 * count - 1 - turn
  }
  return new Set(order.filter((_, at) => turnOf(at) === index - 1))
}

export class LongestFirst extends BaseSequencer {
  override shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 }
    const share = shareOf(
      files.map(({ moduleId }) => moduleId),
      index,
      count,
    )
    return Promise.resolve(files.filter(({ moduleId }) => share.has(moduleId)))
  }

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // By project, and within one by the times of the last run.
    const byLastTimes = super.sort.bind(this)
    const inOrder = await byLastTimes(files)
    return [...Map.groupBy(inOrder, ({ project }) => project.name).values()].flatMap((each) =>
      each.toSorted((one, other) => rankOf(one.moduleId) - rankOf(other.moduleId)),
    )
  }
}

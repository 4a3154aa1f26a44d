/** The order in which test files start, and how two processes share them. */

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, with their seconds in a whole run. Whoever starts one of them last waits for it alone. */
const longest: Readonly<Record<string, number>> = {
  'e2e/screens': 175,
  'torture/clients-and-contents': 130,
  'sites/releasing/s3-target': 110,
  'e2e/review-forms': 100,
  'e2e/whole-site': 89,
  'team/fold-and-erase': 88,
  'kit/faults': 88,
  'cli/readiness': 81,
  'torture/faults-of-machines': 80,
  'torture/teams': 80,
  'attacks/port': 75,
  'kill/care': 64,
  'torture/traced/system-calls': 60,
  'cli/team-commands': 60,
  'library/care/damage/log': 59,
  'sites/releasing/ownership': 58,
  'cli/failing-disk': 58,
  'sites/publishing/ceph': 52,
  'library/care/full-disk': 51,
  'cli/shares': 51,
  'kill/listener-kill': 50,
  'keychain/site-secret': 50,
  'sites/exporting/interruption': 49,
  'e2e/themes': 48,
  'kill/publish': 45,
  'e2e/lighthouse': 45,
  'sites/releasing/sftp-target': 45,
}
/** The seconds of most others of the projects `machine` and `torture`. */
const usual = 20

const secondsOf = (file: string): number => longest[/\/tests\/(.*)\.test\.ts$/.exec(file)?.[1] ?? ''] ?? usual

/** The files of one of `count` processes: by their names alone, so that all processes agree. `index` begins with 1. */
export function shareOf(files: readonly string[], index: number, count: number): ReadonlySet<string> {
  const shares = Array.from({ length: count }, () => ({ seconds: 0, files: new Set<string>() }))
  const order = files.toSorted((one, other) => secondsOf(other) - secondsOf(one) || (one < other ? -1 : 1))
  for (const file of order) {
    const shortest = shares.reduce((least, each) => (each.seconds < least.seconds ? each : least))
    shortest.files.add(file)
    shortest.seconds += secondsOf(file)
  }
  return shares[index - 1]?.files ?? new Set()
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
      each.toSorted((one, other) => secondsOf(other.moduleId) - secondsOf(one.moduleId)),
    )
  }
}

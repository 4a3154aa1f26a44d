import type { Site } from '../../../../contract/domain/site.ts'
import type { TaskId } from '../../../../contract/ids.ts'
import { ok } from '../../../../contract/result.ts'
import type { Publisher } from '../../../library/vault/publisher.ts'
import type { Tasks } from '../../../platform/tasks/tasks.ts'
import { careAnswer } from '../../../use-cases/care/care-answer.ts'
import { asCareResult } from '../../../use-cases/care/run.ts'
import type { RepublishPorts } from '../../../use-cases/publishing/republish.ts'
import { republish } from '../../../use-cases/publishing/republish.ts'

export interface RepublishStartPorts extends Pick<RepublishPorts, 'index' | 'vault'> {
  readonly publishers: { of(site: Site): Publisher | null }
  readonly tasks: Tasks
}

/** Starts the task that publishes the files of all saves of a site. */
export const republishStart =
  ({ index, vault, publishers, tasks }: RepublishStartPorts) =>
  (site: Site): TaskId =>
    tasks.start('republish', { site: site.name }, async ({ signal, progress }) => {
      const publisher = publishers.of(site)
      if (publisher === null) return ok({ files: 0, bytes: 0, lost: [], withheld: [] })
      const run = { signal, onProgress: progress }
      const onProgress = (done: number, total: number) => progress({ step: 'copying', done, total, unit: 'files' })
      const work = async () => ok(await republish({ index, vault, publisher }, site, { signal, onProgress }))
      return careAnswer(await asCareResult(run, work))
    })

import type { Publisher, Tasks } from '@galley/library'
import { asCareResult, careAnswer } from '@galley/library'
import type { Site } from '@galley/library/records'
import type { RepublishPorts } from '@galley/sites'
import { republish } from '@galley/sites'
import type { TaskId } from '@galley/wire'
import { ok } from '@galley/wire'

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

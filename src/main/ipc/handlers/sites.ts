import { asCareResult, checkSite } from '@galley/library'
import type { Publisher, SiteCheckPorts, Tasks } from '@galley/library'
import type { Answer, Site } from '@galley/library/records'
import { isSampleSite } from '@galley/library/records'
import type { RepublishPorts } from '@galley/sites'
import { republish } from '@galley/sites'
import { fail, ok } from '@galley/wire'
import type { TaskId } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { siteCalls } from '../../../ipc/sites.ts'
import type { TryIt } from '../../try-it/try-it.ts'
import type { ChosenPaths } from '../chosen-paths.ts'
import type { Desktop } from '../desktop.ts'
import type { Questions } from '../questions.ts'
import { notConfirmed } from './not-chosen.ts'
import type { SaveSitePorts } from './save-site.ts'
import { saveSite } from './save-site.ts'
import type { SiteFilePorts } from './site-files.ts'
import { siteFileHandlers } from './site-files.ts'
import { unknownSite } from './unknown.ts'

interface RepublishStartPorts extends Pick<RepublishPorts, 'index' | 'vault'> {
  readonly publishers: { of(site: Site): Publisher | null }
  readonly tasks: Tasks
}

/** Starts the task that publishes the files of all saves of a site. */
const republishStart =
  ({ index, vault, publishers, tasks }: RepublishStartPorts) =>
  (site: Site): TaskId =>
    tasks.start('republish', { site: site.name }, async ({ signal, progress }) => {
      const publisher = publishers.of(site)
      if (publisher === null) return ok({ files: 0, bytes: 0, lost: [], withheld: [] })
      const run = { signal, onProgress: progress }
      const onProgress = (done: number, total: number) => progress({ step: 'copying', done, total, unit: 'files' })
      const work = async () => ok(await republish({ index, vault, publisher }, site, { signal, onProgress }))
      return await asCareResult(run, work)
    })

interface Edges {
  readonly desktop: Desktop
  readonly chosen: ChosenPaths
  readonly questions: Questions
  readonly tryIt: Pick<TryIt, 'remove'>
  readonly changed: () => void
}

export type SitePorts = SiteCheckPorts & SiteFilePorts & RepublishStartPorts & SaveSitePorts

/** Calls about sites. Secrets are written by `saveSite` and never returned. */
export function siteHandlers(ports: SitePorts, edges: Edges): HandlersOf<typeof siteCalls> {
  const { index, sites, confirmations } = ports
  const { desktop, chosen, questions, tryIt, changed } = edges
  const startRepublish = republishStart(ports)

  /** Deletes the sample with its materials, which are of no use without the site. */
  async function removeSample({ id, name }: Site): Promise<Answer<null>> {
    const materials = index.materials.listByArrival(id)
    const versions = materials.reduce((sum, material) => sum + material.versions, 0)
    if (!(await questions.mayDeleteMaterials({ title: name, materials: materials.length, versions })))
      return notConfirmed
    const removed = await tryIt.remove()
    changed()
    return removed.ok ? ok(null) : removed
  }

  return {
    listSites: () => sites.list(),
    saveSite: saveSite(ports, { chosen, questions, changed, startRepublish }),
    async confirmSite({ site: id }) {
      const site = index.sites.find(id)
      if (!site) return unknownSite(id)
      if (!confirmations.isConfirmed(site) && !(await questions.maySaveSite(null, site))) return notConfirmed
      const confirmed = await sites.confirm(site)
      changed()
      return ok(confirmed)
    },
    async choosePublishFolder({ site }) {
      const path = await desktop.chooseFolder('publishFolder')
      return path === null ? null : chosen.keep({ what: 'publish-folder', site }, path)
    },
    async removeSite({ site }) {
      const found = index.sites.find(site)
      if (found && isSampleSite(found)) return removeSample(found)
      if (found && !(await questions.mayRemoveSite(found))) return notConfirmed
      const removed = await sites.remove(site)
      changed()
      if (!removed.ok) return removed
      return removed.value ? ok(null) : unknownSite(site)
    },
    async checkSite({ site }) {
      const found = await sites.find(site)
      if (!found) return unknownSite(site)
      const checks = await checkSite(ports, found, null)
      return ok(checks.map(({ name, ok: isFine, code, facts }) => ({ name, ok: isFine, code, facts })))
    },
    republishSite({ site: id }) {
      const site = index.sites.find(id)
      if (!site) return unknownSite(id)
      if (!confirmations.isConfirmed(site)) return fail({ code: 'site_unconfirmed' })
      return ok({ task: startRepublish(site) })
    },
    ...siteFileHandlers(ports, { desktop, changed }),
  }
}

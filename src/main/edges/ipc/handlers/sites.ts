import type { Handlers } from '../../../../contract/ipc/calls.ts'
import type { Answer } from '../../../../contract/ipc/problem.ts'
import type { SiteCalls, SiteForm } from '../../../../contract/ipc/sites.ts'
import { fail, ok } from '../../../../contract/result.ts'
import { isLoopback } from '../../../../contract/domain/plain-http.ts'
import type { Site } from '../../../../contract/domain/site.ts'
import { isSampleSite } from '../../../../contract/domain/site.ts'
import { siteDefaults, siteInputOf } from '../../../../contract/domain/site-input.ts'
import { withoutUndefined } from '../../../../contract/without-undefined.ts'
import type { TaskId } from '../../../../contract/ids.ts'
import type { Publisher } from '../../../library/vault/publisher.ts'
import type { RepublishPorts } from '../../../use-cases/publishing/republish.ts'
import type { Tasks } from '../../../platform/tasks/tasks.ts'
import { isInLibrary } from '../../../library/folder.ts'
import { hasMoved, republish } from '../../../use-cases/publishing/republish.ts'
import { checkSite } from '../../../use-cases/sites/site-check.ts'
import { asCareResult } from '../../../use-cases/care/run.ts'
import { careAnswer } from '../../../use-cases/care/care-answer.ts'
import type { TryIt } from '../../try-it/try-it.ts'
import type { ChosenPaths } from '../chosen-paths.ts'
import type { Desktop } from '../desktop.ts'
import type { Questions } from '../questions.ts'
import { notConfirmed, pathNotChosen } from './not-chosen.ts'
import type { SiteFilePorts } from './site-files.ts'
import { siteFileHandlers } from './site-files.ts'
import { siteProblem } from './site-problem.ts'
import { unknownSite } from './unknown.ts'
import type { SiteCheckPorts } from '../../../use-cases/sites/site-check.ts'
import type { Confirmations } from '../../../use-cases/sites/confirmations.ts'
import { isSameDestination } from '../../../use-cases/sites/confirmations.ts'

interface Edges {
  readonly desktop: Desktop
  readonly chosen: ChosenPaths
  readonly questions: Questions
  readonly tryIt: Pick<TryIt, 'remove'>
  readonly changed: () => void
}

export interface SitePorts extends SiteCheckPorts, SiteFilePorts {
  readonly vault: RepublishPorts['vault']
  readonly publishers: SiteCheckPorts['publishers'] & { of(site: Site): Publisher | null }
  readonly tasks: Tasks
  readonly confirmations: Confirmations
}

/** Calls about sites. Secrets are written by `saveSite` and never returned. */
export function siteHandlers(ports: SitePorts, edges: Edges): Pick<Handlers, keyof SiteCalls> {
  const { index, sites, confirmations, vault, publishers, tasks } = ports
  const { desktop, chosen, questions, tryIt, changed } = edges

  /** The publishing target in its short form; undefined: unchanged; null: no dialog returned this folder for this site. */
  function publishOf({ id, publish }: Pick<SiteForm, 'id' | 'publish'>): string | null | undefined {
    if (typeof publish !== 'object') return publish
    const folder = chosen.find({ what: 'publish-folder', site: id }, publish.folder)
    return folder === null ? null : `folder:${folder}`
  }

  /**
   * Whether a site may be saved. A new site whose service is on this computer needs no confirmation: it has no secret and no
   * content, so nothing could be sent elsewhere.
   */
  async function mayBeSaved(site: Site): Promise<boolean> {
    const before = index.sites.find(site.id)
    if (before !== null && confirmations.isConfirmed(before) && isSameDestination(before, site)) return true
    // A removed site gets its materials back with its id.
    const isNew = before === null && !index.materials.hasAny(site.id)
    if (isNew && staysHere(site) && (await ports.secrets.presence(site.id)) === 'missing') return true
    return questions.maySaveSite(before, site)
  }

  /** Deletes the sample with its materials, which are of no use without the site. */
  async function removeSample({ id, name }: Site): Promise<Answer<null>> {
    const materials = index.materials.listByArrival(id)
    const versions = materials.reduce((sum, material) => sum + material.versions, 0)
    if (!(await questions.mayDeleteMaterials({ title: name, materials: materials.length, versions })))
      return notConfirmed
    const removed = await tryIt.remove()
    changed()
    if (removed.ok) return ok(null)
    return removed.failure.kind === 'secrets_unavailable'
      ? fail(siteProblem(removed.failure))
      : careAnswer(fail(removed.failure))
  }

  const startRepublish = (site: Site): TaskId =>
    tasks.start('republish', { site: site.name }, async ({ signal, progress }) => {
      const publisher = publishers.of(site)
      if (publisher === null) return ok({ files: 0, bytes: 0, lost: [] })
      const run = { signal, onProgress: progress }
      const onProgress = (done: number, total: number) => progress({ step: 'copying', done, total, unit: 'files' })
      const work = async () => ok(await republish({ index, vault, publisher }, site.id, { signal, onProgress }))
      return careAnswer(await asCareResult(run, work))
    })

  return {
    listSites: () => sites.list(),
    async saveSite({ secret, bucketKeys, allowHttp = null, ...form }) {
      const publish = publishOf(form)
      if (publish === null) return { ...pathNotChosen, failure: { ...pathNotChosen.failure, field: 'publish' } }
      if (publish?.startsWith('folder:') && (await isInLibrary(publish.slice('folder:'.length))))
        return fail({ code: 'invalid_site', field: 'publish', facts: { state: 'in_library' } })
      const before = index.sites.find(form.id)
      const base = before ? siteInputOf(before) : { ...siteDefaults, allowedDomains: [], downloadOrigins: [] }
      const input = { ...base, ...withoutUndefined({ ...form, publish }) }
      const read = sites.read(input, allowHttp)
      if (!read.ok) return fail(siteProblem(read.failure))
      if (!(await mayBeSaved(read.value))) return notConfirmed
      if (before !== null && before.baseUrl !== read.value.baseUrl) ports.keys.takeBack(form.id)
      const saved = await sites.save(input, secret, { allowHttp, isSecretRenewed: true, bucketKeys })
      changed()
      if (!saved.ok) return fail(siteProblem(saved.failure))
      if (hasMoved(index, before, saved.value)) startRepublish(saved.value)
      return saved
    },
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
      const removed = await sites.remove(site)
      changed()
      if (!removed.ok) return fail(siteProblem(removed.failure))
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

/** Whether everything that Galley, and the service with its callbacks, send for a site stays on this computer. */
const staysHere = ({ baseUrl, callbackUrl, publicUrl, downloadOrigins, publish }: Site): boolean =>
  publish.kind !== 's3' &&
  [baseUrl, callbackUrl, publicUrl ?? callbackUrl, ...downloadOrigins].every((url) => isLoopback(new URL(url).hostname))

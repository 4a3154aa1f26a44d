import type { Confirmations, IndexReads, Keys, SiteSecrets, SiteSettings } from '@galley/library'
import { isInLibrary, isSameDestination } from '@galley/library'
import { isLoopback, siteDefaults, siteInputOf, unreachableFields } from '@galley/library/records'
import type { Site } from '@galley/library/records'
import { hasMoved } from '@galley/sites'
import { fail, withoutUndefined } from '@galley/wire'

import type { Handlers } from '../../../ipc/calls.ts'
import type { SiteForm } from '../../../ipc/sites.ts'
import type { ChosenPaths } from '../chosen-paths.ts'
import type { Questions } from '../questions.ts'
import { notConfirmed, pathNotChosen } from './not-chosen.ts'

export interface SaveSitePorts {
  readonly index: IndexReads
  readonly sites: SiteSettings
  readonly confirmations: Confirmations
  readonly keys: Pick<Keys, 'takeBack'>
  readonly secrets: Pick<SiteSecrets, 'presence'>
}

interface Edges {
  readonly chosen: ChosenPaths
  readonly questions: Questions
  readonly changed: () => void
  readonly startRepublish: (site: Site) => unknown
}

/** The call that adds or changes a site: asks the user where content or secrets could go elsewhere. */
export function saveSite(ports: SaveSitePorts, edges: Edges): Handlers['saveSite'] {
  const { index, sites, confirmations } = ports
  const { chosen, questions, changed, startRepublish } = edges

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

  return async ({ secret, bucketKeys, allowHttp = null, ...form }) => {
    const publish = publishOf(form)
    if (publish === null) return { ...pathNotChosen, failure: { ...pathNotChosen.failure, field: 'publish' } }
    if (publish?.startsWith('folder:') && (await isInLibrary(publish.slice('folder:'.length))))
      return fail({ code: 'invalid_site', field: 'publish', state: 'in_library' })
    const before = index.sites.find(form.id)
    const base = before ? siteInputOf(before) : { ...siteDefaults, allowedDomains: [], downloadOrigins: [] }
    const input = { ...base, ...withoutUndefined({ ...form, publish }) }
    const read = sites.read(input, allowHttp)
    if (!read.ok) return read
    const [unreachable] = unreachableFields(read.value)
    if (unreachable) return fail({ code: 'invalid_site', field: unreachable, state: 'unreachable' })
    if (!(await mayBeSaved(read.value))) return notConfirmed
    if (before !== null && before.baseUrl !== read.value.baseUrl) ports.keys.takeBack(form.id)
    const saved = await sites.save(input, secret, { allowHttp, isSecretRenewed: true, bucketKeys })
    changed()
    if (!saved.ok) return saved
    if (hasMoved(index, before, saved.value)) startRepublish(saved.value)
    return saved
  }
}

/** Whether everything that Galley, and the service with its callbacks, send for a site stays on this computer. */
const staysHere = ({ baseUrl, callbackUrl, publicUrl, downloadOrigins, publish }: Site): boolean =>
  publish.kind !== 's3' &&
  [baseUrl, callbackUrl, publicUrl ?? callbackUrl, ...downloadOrigins].every((url) => isLoopback(new URL(url).hostname))

import type { IndexReads } from '@galley/library'
import { readAppLink } from '@galley/library/records'

import type { ShellEvents } from '../../ipc/shell.ts'

/** What the window shows for a link: what it names, or the nearest that is there, and what is missing. */
export function itemOfLink(
  { sites, materials, versionList, callbacks }: Pick<IndexReads, 'sites' | 'materials' | 'versionList' | 'callbacks'>,
  link: string,
): ShellEvents['show'] {
  const linked = readAppLink(link)
  if (linked === null) return { item: null, missing: 'link' }
  if ('callbackId' in linked) {
    const callback = callbacks.find(linked.callbackId)
    if (callback === null) return { item: null, missing: 'callback' }
    return { item: { site: callback.site, callbackId: callback.id }, missing: null }
  }
  const { site, materialId, versionId } = linked
  if (sites.find(site) === null) return { item: null, missing: 'site' }
  const inSite = { site, materialId: null, versionId: null }
  if (materialId === null) return { item: inSite, missing: null }
  if (materials.find(site, materialId) === null) return { item: inSite, missing: 'material' }
  const isThere = versionId === null || versionList.find(site, materialId, versionId) !== null
  return { item: { site, materialId, versionId: isThere ? versionId : null }, missing: isThere ? null : 'version' }
}

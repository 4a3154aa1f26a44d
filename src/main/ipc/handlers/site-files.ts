import { randomUUID } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import type { IndexReads, Keys, SiteInFile, SiteSettings } from '@galley/library'
import { readSitesText, sitesFileMaxBytes, sitesText } from '@galley/library'
import type { Site, SiteInput } from '@galley/library/records'
import { siteInputOf } from '@galley/library/records'
import { isSystemError } from '@galley/platform'
import { fail, ok } from '@galley/wire'

import type { Handlers } from '../../../ipc/calls.ts'
import type { ImportableSite, SiteAddresses } from '../../../ipc/sites.ts'
import type { Desktop } from '../desktop.ts'
import { fileFailed } from './file-failed.ts'
import { pathNotChosen } from './not-chosen.ts'

export interface SiteFilePorts {
  readonly index: IndexReads
  readonly sites: SiteSettings
  readonly keys: Pick<Keys, 'takeBack'>
}

/** Calls that export the settings of sites to a file and import them. */
export function siteFileHandlers(
  { index, sites, keys }: SiteFilePorts,
  { desktop, changed }: { readonly desktop: Desktop; readonly changed: () => void },
): Pick<Handlers, 'exportSites' | 'readSitesFile' | 'importSites'> {
  /** The sites file that the window shows, as read: the import uses exactly what was shown. */
  let shownFile: { readonly token: string; readonly sites: readonly SiteInFile[] } | null = null

  return {
    async exportSites({ sites: wanted }) {
      const path = await desktop.chooseNewFile('sitesExport', { name: 'galley-sites.json', extensions: ['json'] })
      if (path === null) return ok(null)
      const exported = (await sites.list()).filter(({ id }) => wanted.length === 0 || wanted.includes(id))
      try {
        await writeFile(path, sitesText(exported), { mode: 0o600 })
      } catch (error) {
        if (isSystemError(error)) return fileFailed(error)
        throw error
      }
      return ok({ path, count: exported.length })
    },
    async readSitesFile() {
      const path = await desktop.chooseFile('sitesFile', { extensions: ['json'] })
      if (path === null) return ok(null)
      try {
        const isSmall = (await stat(path)).size <= sitesFileMaxBytes
        const read = readSitesText(isSmall ? await readFile(path, 'utf8') : '')
        if (!read.ok) {
          return fail({ code: 'not_a_sites_file' })
        }
        shownFile = { token: randomUUID(), sites: read.value }
        return ok({
          token: shownFile.token,
          sites: read.value.map((site) => importable(site, index.sites.find(site.input.id))),
        })
      } catch (error) {
        if (isSystemError(error)) return fileFailed(error)
        throw error
      }
    },
    async importSites({ file, sites: wanted }) {
      if (shownFile?.token !== file) return pathNotChosen
      for (const { input, allowHttp } of shownFile.sites.filter(({ input }) => wanted.includes(input.id))) {
        keys.takeBack(input.id)
        const taken = await sites.takeOver(input, allowHttp)
        changed()
        if (!taken.ok) return fail({ ...taken.failure, site: input.name })
      }
      return ok(null)
    },
  }
}

function importable({ input, plain, problem }: SiteInFile, before: Site | null): ImportableSite {
  return {
    id: input.id,
    name: input.name,
    settings: addressesOf(input),
    replaces: before && addressesOf(siteInputOf(before)),
    plain,
    problem: problem && { field: problem.field, state: problem.state },
  }
}

const addressesOf = ({ baseUrl, callbackUrl, publish, s3Endpoint, s3Region }: SiteInput): SiteAddresses => ({
  baseUrl,
  callbackUrl,
  publish: [publish, s3Endpoint ?? [], s3Region ?? []].flat().join(' · '),
})

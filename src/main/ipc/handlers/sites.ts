import { readFile, stat, writeFile } from 'node:fs/promises'

import type { Handlers } from '../../../contract/ipc.ts'
import type { CallProblem } from '../../../contract/ipc/problem.ts'
import type { SiteCalls } from '../../../contract/ipc/sites.ts'
import { fail, ok } from '../../../contract/result.ts'
import { siteDefaults, siteInputOf } from '../../../contract/site-input.ts'
import { isSystemError } from '../../disk/system-error.ts'
import type { Galley } from '../../galley.ts'
import { checkSite } from '../../sites/site-check.ts'
import type { SaveSiteFailure } from '../../sites/site-settings.ts'
import { describeKeychainFailure } from '../../sites/site-settings.ts'
import { readSitesText, sitesFileMaxBytes, sitesText, stated } from '../../sites/sites-file.ts'
import type { Desktop } from '../desktop.ts'
import { fileFailed } from './file-failed.ts'
import { unknownSite } from './unknown.ts'

/** Calls about sites; a secret comes in with `saveSite` and never goes out. */
export function siteHandlers(galley: Galley, desktop: Desktop, changed: () => void): Pick<Handlers, keyof SiteCalls> {
  const { index, sites } = galley
  return {
    listSites: () => sites.list(),
    async saveSite({ secret, allowHttp = null, ...form }) {
      const before = index.sites.find(form.id)
      const base = before ? siteInputOf(before) : { ...siteDefaults, allowedDomains: [], downloadOrigins: [] }
      const saved = await sites.save({ ...base, ...stated(form) }, secret, allowHttp)
      changed()
      return saved.ok ? saved : fail(problemOf(saved.failure))
    },
    async removeSite({ site }) {
      const removed = await sites.remove(site)
      changed()
      if (!removed.ok) return fail(problemOf(removed.failure))
      return removed.value ? ok(null) : unknownSite(site)
    },
    async checkSite({ site }) {
      const found = await sites.find(site)
      if (!found) return unknownSite(site)
      const checks = await checkSite(galley, found, null)
      return ok(checks.map(({ name, ok: isFine, code, facts }) => ({ name, ok: isFine, code, facts })))
    },
    async exportSites({ sites: wanted }) {
      const path = await desktop.chooseNewFile({ name: 'galley-sites.json', extensions: ['json'] })
      if (path === null) return ok(null)
      const chosen = (await sites.list()).filter(({ id }) => wanted.length === 0 || wanted.includes(id))
      try {
        await writeFile(path, sitesText(chosen), { mode: 0o600 })
      } catch (error) {
        if (isSystemError(error)) return fileFailed(error)
        throw error
      }
      return ok({ path, count: chosen.length })
    },
    async readSitesFile() {
      const path = await desktop.chooseFile({ extensions: ['json'] })
      if (path === null) return ok(null)
      try {
        const isSmall = (await stat(path)).size <= sitesFileMaxBytes
        const read = readSitesText(isSmall ? await readFile(path, 'utf8') : '', (id) => index.sites.find(id) !== null)
        if (read.ok) return read
        const message = `The file cannot be used: ${read.failure.problem}. Nothing was changed.`
        return fail({ code: 'not_a_sites_file', message })
      } catch (error) {
        if (isSystemError(error)) return fileFailed(error)
        throw error
      }
    },
  }
}

function problemOf(failure: SaveSiteFailure): CallProblem {
  switch (failure.kind) {
    case 'invalid_site': {
      const { kind: code, field, problem, reason } = failure
      return { code, message: sentence(problem), field, facts: { state: reason ?? field } }
    }
    case 'secrets_read_only':
      return {
        code: failure.kind,
        message: 'Secrets come from the environment here and cannot be changed in the window. Leave the field empty.',
        field: 'secret',
      }
    case 'secrets_unavailable': {
      const { kind: code, step, state } = failure
      const message = describeKeychainFailure(failure)
      return { code, message, ...(step === 'secret' && { field: step }), facts: { state: `${step}_${state}` } }
    }
  }
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

import type { Answer, SiteCheck, SiteProblem, SiteSummary } from '@galley/library/records'
import { chosenToken, siteForm, siteIdText } from '@galley/library/records'
import type { SiteId, TaskId } from '@galley/wire'
import { z } from 'zod'

import type { ChosenPath } from './chosen-path.ts'
import type { Inputs } from './problem.ts'

export type SiteForm = z.infer<typeof siteForm>

/** The addresses to which a site sends signed requests, and its publishing target (`publish`, in its short form). */
export interface SiteAddresses {
  readonly baseUrl: string
  readonly callbackUrl: string
  readonly publish: string
}

/** A site in a file of exported sites, compared with the library. */
export interface ImportableSite {
  readonly id: string
  readonly name: string
  readonly settings: SiteAddresses
  /** The current addresses of the site with this id; null if there is none. */
  readonly replaces: SiteAddresses | null
  /** Its plain http URLs, which the file allows. */
  readonly plain: readonly string[]
  /** The invalid setting, or null. */
  readonly problem: Pick<SiteProblem, 'field' | 'reason'> | null
}

/** A file written to a path that the person chose; null if they cancelled. */
export type WrittenFile = { readonly path: string; readonly count: number } | null

export interface SiteCalls {
  listSites: { input: undefined; output: readonly SiteSummary[] }
  saveSite: { input: SiteForm; output: Answer<SiteSummary> }
  removeSite: { input: { site: SiteId }; output: Answer<null> }
  /** Runs the self-test: a probe is sent out and returns through the callback URL. Takes up to ten seconds. */
  checkSite: { input: { site: SiteId }; output: Answer<readonly SiteCheck[]> }
  /** Asks for a file and writes the settings of these sites (none: all) to it, without secrets. */
  exportSites: { input: { sites: readonly string[] }; output: Answer<WrittenFile> }
  /** Asks for a folder for the public media of a site; null if the person cancels. */
  choosePublishFolder: { input: { site: SiteId }; output: ChosenPath | null }
  /**
   * Asks a person in a system dialog to confirm a site. Until then Galley signs nothing for it, downloads nothing from it
   * and publishes nothing to its target.
   */
  confirmSite: { input: { site: SiteId }; output: Answer<SiteSummary> }
  /**
   * Publishes the media and fonts of all saves to the site's folder or bucket, as a task. Saving a site with another target
   * starts it too.
   */
  republishSite: { input: { site: SiteId }; output: Answer<{ readonly task: TaskId }> }
  /** Asks for a file and reads it. Pass it to `importSites`. null if the person cancels. */
  readSitesFile: {
    input: undefined
    output: Answer<{ readonly token: string; readonly sites: readonly ImportableSite[] } | null>
  }
  /** Imports these sites from a file, unconfirmed and without secrets. Stops at the first that cannot be stored. */
  importSites: { input: { file: string; sites: readonly string[] }; output: Answer<null> }
}

export const inSite = z.strictObject({ site: siteIdText })

export const siteInputs: Inputs<SiteCalls> = {
  listSites: z.undefined(),
  saveSite: siteForm,
  removeSite: inSite,
  checkSite: inSite,
  exportSites: z.strictObject({ sites: z.array(z.string()).max(1000) }),
  choosePublishFolder: inSite,
  confirmSite: inSite,
  republishSite: inSite,
  readSitesFile: z.undefined(),
  importSites: z.strictObject({ file: chosenToken, sites: z.array(z.string().max(200)).max(1000) }),
}

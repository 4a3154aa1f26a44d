import type { Answer, SiteCheck, SiteProblem, SiteSummary } from '@galley/library/records'
import { chosenToken, siteForm } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { z } from 'zod'

import type { ChosenPath, Started } from './call.ts'
import { asks, nothing, inSite } from './call.ts'

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
  readonly problem: Pick<SiteProblem, 'field' | 'state'> | null
}

/** A file written to a path that the person chose; null if they cancelled. */
export type WrittenFile = { readonly path: string; readonly count: number } | null

const siteNames: z.ZodType<readonly SiteId[]> = z.array(z.string().max(200)).max(1000)

export const siteCalls = {
  listSites: asks(nothing).gives<readonly SiteSummary[]>(),
  saveSite: asks(siteForm).gives<Answer<SiteSummary>>(),
  removeSite: asks(inSite).gives<Answer<null>>(),
  /** Runs the self-test: a probe is sent out and returns through the callback URL. Takes up to ten seconds. */
  checkSite: asks(inSite).gives<Answer<readonly SiteCheck[]>>(),
  /** Asks for a file and writes the settings of these sites (none: all) to it, without secrets. */
  exportSites: asks(z.strictObject({ sites: siteNames })).gives<Answer<WrittenFile>>(),
  /** Asks for a folder for the public media of a site; null if the person cancels. */
  choosePublishFolder: asks(inSite).gives<ChosenPath | null>(),
  /**
   * Asks a person in a system dialog to confirm a site. Until then Galley signs nothing for it, downloads nothing from it
   * and publishes nothing to its target.
   */
  confirmSite: asks(inSite).gives<Answer<SiteSummary>>(),
  /**
   * Publishes the media and fonts of all saves to the site's folder or bucket, as a task. Saving a site with another target
   * starts it too.
   */
  republishSite: asks(inSite).gives<Started>(),
  /** Asks for a file and reads it. Pass it to `importSites`. null if the person cancels. */
  readSitesFile:
    asks(nothing).gives<Answer<{ readonly token: string; readonly sites: readonly ImportableSite[] } | null>>(),
  /** Imports these sites from a file, unconfirmed and without secrets. Stops at the first that cannot be stored. */
  importSites: asks(z.strictObject({ file: chosenToken, sites: siteNames })).gives<Answer<null>>(),
}

import type { Result } from '@galley/wire'
import { fail, ok, parsedJson, withoutUndefined } from '@galley/wire'
import { z } from 'zod'

import { describePlainAddress, plainAddresses } from '../records/plain-http.ts'
import type { SiteInput, SiteProblem } from '../records/site-input.ts'
import { readSiteInput, siteDefaults, siteInputOf } from '../records/site-input.ts'
import type { SiteSummary } from '../records/site.ts'
import { siteForm } from '../views/sites.ts'

/** A site in a file: without secrets, and with its publishing target in the short form. */
const siteInFile = siteForm.omit({ secret: true, bucketKeys: true }).extend({ publish: z.string().optional() })

const fileSchema = z.object({ format: z.literal('galley-sites'), version: z.literal(1), sites: z.array(z.unknown()) })

/** Larger files are not lists of sites. */
export const sitesFileMaxBytes = 4 * 1024 * 1024

/** The settings of sites as a file, without secrets. */
export function sitesText(summaries: readonly SiteSummary[]): string {
  const sites = summaries.map((summary) => {
    const { secret: _, isSecretTried: __, isConfirmed: ___, bucketKeys: ____, allowHttp, ...site } = summary
    return { ...siteInputOf(site), ...(allowHttp && { allowHttp }) }
  })
  return `${JSON.stringify({ format: 'galley-sites', version: 1, sites }, null, 2)}\n`
}

/** A site of a file. `problem` names the invalid setting. */
export interface SiteInFile {
  readonly input: SiteInput
  /** Whether the file allows its plain http URLs. */
  readonly allowHttp: boolean
  readonly plain: readonly string[]
  readonly problem: SiteProblem | null
}

/**
 * Reads a file of sites. A site with an invalid setting is listed with its problem; an entry that is not a site fails the
 * whole file.
 */
export function readSitesText(text: string): Result<readonly SiteInFile[], { readonly problem: string }> {
  const file = fileSchema.safeParse(parsedJson(text))
  if (!file.success) return fail({ problem: 'it is not a site list from Galley' })
  const sites: SiteInFile[] = []
  for (const entry of file.data.sites) {
    const { secret: _, bucketKeys: __, ...withoutSecret } = Object(entry) as { secret?: unknown; bucketKeys?: unknown }
    const form = siteInFile.safeParse(withoutSecret)
    if (!form.success) return fail({ problem: 'one of its sites cannot be read' })
    const { allowHttp = false, ...parts } = form.data
    const given: SiteInput = { ...siteDefaults, downloadOrigins: [], ...withoutUndefined(parts) }
    const checked = readSiteInput(given)
    const plain = checked.ok ? plainAddresses(checked.value) : []
    // Shows URLs in their normalized form.
    const input = checked.ok ? siteInputOf(checked.value) : given
    const [first] = allowHttp ? [] : plain
    const refused =
      first &&
      ({
        code: 'invalid_site',
        field: first.field,
        problem: describePlainAddress(first),
        state: 'plain_http',
      } as const)
    const problem = refused ?? (checked.ok ? null : checked.failure)
    sites.push({ input, allowHttp, plain: plain.map(({ url }) => url), problem })
  }
  return ok(sites)
}

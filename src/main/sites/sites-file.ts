import { z } from 'zod'

import { siteForm } from '../../contract/ipc/sites.ts'
import type { ImportableSite, SiteForm } from '../../contract/ipc/sites.ts'
import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import { describePlainAddress, plainAddresses } from '../../contract/plain-http.ts'
import type { SiteSummary } from '../../contract/site.ts'
import { readSiteInput, siteDefaults, siteInputOf } from '../../contract/site-input.ts'

const fileSchema = z.object({ format: z.literal('galley-sites'), version: z.literal(1), sites: z.array(z.unknown()) })

/** Larger is no list of sites. */
export const sitesFileMaxBytes = 4 * 1024 * 1024

/** The settings of sites as a file: everything but secrets, which have no place in it. */
export function sitesText(summaries: readonly SiteSummary[]): string {
  const sites = summaries.map((summary) => {
    const { secret: _, allowHttp, ...site } = summary
    return { ...siteInputOf(site), ...(allowHttp && { allowHttp }) }
  })
  return `${JSON.stringify({ format: 'galley-sites', version: 1, sites }, null, 2)}\n`
}

/** Reads such a file. A site that cannot be used is listed with what is wrong with it; one that is no site fails the file. */
export function readSitesText(
  text: string,
  isKnown: (id: string) => boolean,
): Result<readonly ImportableSite[], { readonly problem: string }> {
  const file = fileSchema.safeParse(parsed(text))
  if (!file.success) return fail({ problem: 'it is no list of sites from Galley' })
  const sites: ImportableSite[] = []
  for (const given of file.data.sites) {
    const form = siteForm.safeParse({ ...(given as object), secret: null })
    if (!form.success) return fail({ problem: 'one of its sites cannot be read' })
    const { secret: _, allowHttp = false, ...input } = form.data
    const checked = readSiteInput({ ...siteDefaults, downloadOrigins: [], ...stated(input) })
    const [plain] = checked.ok && !allowHttp ? plainAddresses(checked.value) : []
    const problem = plain
      ? ({ field: plain.field, problem: describePlainAddress(plain), reason: 'plain_http' } as const)
      : checked.ok
        ? null
        : checked.failure
    sites.push({ form: { ...form.data, allowHttp }, isKnown: isKnown(input.id), problem })
  }
  return ok(sites)
}

/** Members that a form leaves out fall back to their defaults. */
export const stated = <Form extends Partial<SiteForm>>(form: Form) =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Form]: Exclude<Form[Key], undefined>
  }

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON, so not ours.
    return null
  }
}

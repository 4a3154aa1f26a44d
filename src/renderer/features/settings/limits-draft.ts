import type { SiteForm } from '../../../contract/ipc/sites.ts'
import type { SiteSummary } from '../../../contract/site.ts'
import { publishText, siteInputOf } from '../../../contract/site-input.ts'

const megabyte = 1024 * 1024

/** The limits of a site and where its media become public, as they are typed. */
export interface LimitsDraft {
  readonly maxContentMb: string
  readonly requestSeconds: string
  readonly downloadSeconds: string
  readonly publish: 'listener' | 'folder' | 's3'
  /** The folder, or bucket and prefix. */
  readonly place: string
  /** What stands for a folder that was chosen just now; null: where media go stays as it is. */
  readonly chosenFolder: string | null
}

/** The limits of a site as its form shows them, in megabytes and seconds. */
export function limitsOf(site: SiteSummary): LimitsDraft {
  const [, place = ''] = /^[a-z0-9]+:(.*)$/.exec(publishText(site.publish)) ?? []
  return {
    maxContentMb: String(site.maxContentBytes / megabyte),
    requestSeconds: String(site.requestTimeoutMs / 1000),
    downloadSeconds: String(site.downloadTimeoutMs / 1000),
    publish: site.publish.kind,
    place,
    chosenFolder: null,
  }
}

const positive = (text: string): number | null => {
  const value = Number(text.trim().replace(',', '.'))
  return text.trim() !== '' && Number.isFinite(value) && value > 0 ? value : null
}

/** Which fields hold no number above zero, or no place where one has to be chosen. */
export const wrongFields = (draft: LimitsDraft): readonly (keyof LimitsDraft)[] => [
  ...(['maxContentMb', 'requestSeconds', 'downloadSeconds'] as const).filter((key) => positive(draft[key]) === null),
  ...(draft.publish === 'folder' && draft.place === '' ? (['place'] as const) : []),
]

function publishOf({ publish, place, chosenFolder }: LimitsDraft): SiteForm['publish'] {
  if (publish === 'listener') return 'listener'
  if (publish === 's3') return `s3:${place.trim()}`
  return chosenFolder === null ? undefined : { folder: chosenFolder }
}

/** The whole site with these limits, its secret untouched. */
export function limitedForm(site: SiteSummary, draft: LimitsDraft): SiteForm {
  const { id, name, environment, baseUrl, apiKey, callbackUrl, publicUrl, unknownMaterials, callbackAuth } = site
  return {
    ...{ id, name, environment, baseUrl, apiKey, callbackUrl, publicUrl, unknownMaterials, callbackAuth },
    allowedDomains: siteInputOf(site).allowedDomains,
    secret: null,
    maxContentBytes: Math.round((positive(draft.maxContentMb) ?? 0) * megabyte),
    requestTimeoutMs: Math.round((positive(draft.requestSeconds) ?? 0) * 1000),
    downloadTimeoutMs: Math.round((positive(draft.downloadSeconds) ?? 0) * 1000),
    publish: publishOf(draft),
  }
}

import type { SiteForm } from '../../../contract/ipc/sites.ts'
import type { SiteSummary } from '../../../contract/domain/site.ts'
import { publishText, siteInputOf } from '../../../contract/domain/site-input.ts'

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
  /** Of a bucket; empty: what the environment says, else Amazon's. */
  readonly endpoint: string
  readonly region: string
  readonly isPublicChecked: boolean
  /** New keys of the bucket; stored ones are never shown. */
  readonly keyId: string
  readonly keySecret: string
  readonly areKeysForgotten: boolean
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
    endpoint: site.publish.kind === 's3' ? (site.publish.endpoint ?? '') : '',
    region: site.publish.kind === 's3' ? (site.publish.region ?? '') : '',
    isPublicChecked: site.publish.kind !== 's3' || site.publish.publicCheck !== 'off',
    keyId: '',
    keySecret: '',
    areKeysForgotten: false,
  }
}

const positive = (text: string): number | null => {
  const value = Number(text.trim().replace(',', '.'))
  return text.trim() !== '' && Number.isFinite(value) && value > 0 ? value : null
}

/** Which fields hold no number above zero, no place where one has to be chosen, or one key without the other. */
export const wrongFields = (draft: LimitsDraft): readonly (keyof LimitsDraft)[] => [
  ...(['maxContentMb', 'requestSeconds', 'downloadSeconds'] as const).filter((key) => positive(draft[key]) === null),
  ...(draft.publish === 'folder' && draft.place === '' ? (['place'] as const) : []),
  ...(draft.publish === 's3' && draft.keyId.trim() === '' && draft.keySecret.trim() !== '' ? (['keyId'] as const) : []),
  ...(draft.publish === 's3' && draft.keyId.trim() !== '' && draft.keySecret.trim() === ''
    ? (['keySecret'] as const)
    : []),
]

/** What the form says of a bucket; keys are sent when there are new ones or none are wanted. */
function bucketOf({ publish, keyId, keySecret, ...draft }: LimitsDraft): Partial<SiteForm> {
  const forgotten = draft.areKeysForgotten ? { bucketKeys: null } : {}
  if (publish !== 's3') return forgotten
  const hasKeys = keyId.trim() !== ''
  return {
    ...forgotten,
    s3Endpoint: draft.endpoint.trim() || null,
    s3Region: draft.region.trim() || null,
    publicCheck: draft.isPublicChecked ? 'on' : 'off',
    ...(hasKeys && { bucketKeys: { id: keyId.trim(), secret: keySecret.trim() } }),
  }
}

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
    ...bucketOf(draft),
  }
}

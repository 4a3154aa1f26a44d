import { publishText, siteInputOf } from '@galley/library/records'
import type { SiteSummary } from '@galley/library/records'

import type { SiteForm } from '../../../ipc/sites.ts'

const megabyte = 1024 * 1024

/** Form input for a site's limits and publishing target. */
export interface LimitsDraft {
  readonly maxContentMb: string
  readonly requestSeconds: string
  readonly downloadSeconds: string
  readonly publish: 'listener' | 'folder' | 's3'
  /** A folder, or bucket and prefix. */
  readonly place: string
  /** The token of a newly chosen folder; null keeps the current target. */
  readonly chosenFolder: string | null
  /** The bucket's endpoint; empty: from the environment, or else Amazon's. */
  readonly endpoint: string
  readonly region: string
  readonly isPublicChecked: boolean
  /** New bucket keys; stored ones are never shown. */
  readonly keyId: string
  readonly keySecret: string
  readonly areKeysForgotten: boolean
}

/** A site's limits as form input, in megabytes and seconds. */
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

/** Fields without a positive number, without a required location, or with only one of the two keys. */
export const wrongFields = (draft: LimitsDraft): readonly (keyof LimitsDraft)[] => [
  ...(['maxContentMb', 'requestSeconds', 'downloadSeconds'] as const).filter((key) => positive(draft[key]) === null),
  ...(draft.publish === 'folder' && draft.place === '' ? (['place'] as const) : []),
  ...(draft.publish === 's3' && draft.keyId.trim() === '' && draft.keySecret.trim() !== '' ? (['keyId'] as const) : []),
  ...(draft.publish === 's3' && draft.keyId.trim() !== '' && draft.keySecret.trim() === ''
    ? (['keySecret'] as const)
    : []),
]

/** The bucket part of the form; includes keys only if they are new or removed. */
function bucketOf({ publish, keyId, keySecret, ...draft }: LimitsDraft): Partial<SiteForm> {
  const removedKeys = draft.areKeysForgotten ? { bucketKeys: null } : {}
  if (publish !== 's3') return removedKeys
  const hasKeys = keyId.trim() !== ''
  return {
    ...removedKeys,
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

/** The complete site form with these limits, without changing its secret. */
export function limitedForm(site: SiteSummary, draft: LimitsDraft): SiteForm {
  const { id, name, environment, baseUrl, apiKey, callbackUrl, publicUrl, unknownMaterials, callbackAuth } = site
  return {
    id,
    name,
    environment,
    baseUrl,
    apiKey,
    callbackUrl,
    publicUrl,
    unknownMaterials,
    callbackAuth,
    allowedDomains: siteInputOf(site).allowedDomains,
    secret: null,
    maxContentBytes: Math.round((positive(draft.maxContentMb) ?? 0) * megabyte),
    requestTimeoutMs: Math.round((positive(draft.requestSeconds) ?? 0) * 1000),
    downloadTimeoutMs: Math.round((positive(draft.downloadSeconds) ?? 0) * 1000),
    publish: publishOf(draft),
    ...bucketOf(draft),
  }
}

import type { SecretsState } from '../protocol/failure.ts'
import type { SiteId } from '../ids.ts'

/** Where the media of a site become public. */
export type PublishTarget =
  | { readonly kind: 'listener' }
  | { readonly kind: 'folder'; readonly directory: string }
  | BucketTarget

/** A bucket of an S3 storage; its keys are secrets of each machine. */
export interface BucketTarget {
  readonly kind: 's3'
  readonly bucket: string
  readonly prefix: string
  /** Address of the storage, without the bucket. Left out: AWS_ENDPOINT_URL, else Amazon's. */
  readonly endpoint?: string | undefined
  /** Left out: AWS_REGION, else us-east-1. */
  readonly region?: string | undefined
  /** Saves are stored without looking whether their files can be fetched through the public URL. */
  readonly publicCheck?: 'off' | undefined
}

/** One integration profile. URLs are absolute and without a trailing slash; sizes in bytes, times in milliseconds. */
export interface Site {
  readonly id: SiteId
  readonly name: string
  readonly environment: 'dev' | 'prod'
  readonly baseUrl: string
  readonly apiKey: string
  readonly callbackUrl: string
  /** Origin, perhaps with a path, under which media and fonts are public; null means the origin of `callbackUrl`. */
  readonly publicUrl: string | null
  readonly allowedDomains: readonly string[]
  readonly downloadOrigins: readonly string[]
  readonly signatureHeader: string
  readonly publish: PublishTarget
  readonly unknownMaterials: 'refuse' | 'accept'
  readonly callbackAuth: 'none' | 'basic' | 'bearer'
  readonly maxContentBytes: number
  readonly requestTimeoutMs: number
  readonly downloadTimeoutMs: number
}

export type SecretPresence = 'stored' | SecretsState

/** Where the keys of a site's bucket come from, or why there are none. */
export type BucketKeysPresence = SecretPresence | 'environment'

/** A site as lists show it: with what the keychain says of its secret. */
export interface SiteSummary extends Site {
  readonly secret: SecretPresence
  /** null: it publishes to no bucket. */
  readonly bucketKeys: BucketKeysPresence | null
  /** Whether a person allowed every plain http address it has (`plainAddresses`); false when it has none. */
  readonly allowHttp: boolean
  /** Whether a person has confirmed on this machine where its signatures, its API key and its media go. */
  readonly isConfirmed: boolean
}

/** The address under which this site's media and fonts are public, without a trailing slash. */
export const publicBase = (site: Pick<Site, 'publicUrl' | 'callbackUrl'>): string =>
  site.publicUrl ?? new URL(site.callbackUrl).origin

/** The site of the built-in service with its sample materials. */
export const sampleSite = { id: 'galley-demo' as SiteId, apiKey: 'galley-demo' } as const

export const isSampleSite = ({ id, apiKey }: Pick<Site, 'id' | 'apiKey'>): boolean =>
  id === sampleSite.id && apiKey === sampleSite.apiKey

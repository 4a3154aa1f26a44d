import type { SecretsState, SiteId } from '@galley/wire'

/** Where the media of a site are published. */
export type PublishTarget =
  | { readonly kind: 'listener' }
  | { readonly kind: 'folder'; readonly directory: string }
  | BucketTarget

/** An S3 bucket. Its keys are secrets of each computer. */
export interface BucketTarget {
  readonly kind: 's3'
  readonly bucket: string
  readonly prefix: string
  /** The URL of the storage without the bucket. Default: AWS_ENDPOINT_URL, otherwise Amazon's. */
  readonly endpoint?: string | undefined
  /** Default: AWS_REGION, otherwise us-east-1. */
  readonly region?: string | undefined
  /** `off`: saves are stored without checking that their files can be fetched from the public URL. */
  readonly publicCheck?: 'off' | undefined
}

/** An integration profile. URLs are absolute, without a trailing slash; sizes in bytes, times in milliseconds. */
export interface Site {
  readonly id: SiteId
  readonly name: string
  readonly environment: 'dev' | 'prod'
  readonly baseUrl: string
  readonly apiKey: string
  readonly callbackUrl: string
  /** The origin, optionally with a path, of public media and fonts; null: the origin of `callbackUrl`. */
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

/** The source of a site's bucket keys, or why there are none. */
export type BucketKeysPresence = SecretPresence | 'environment'

/** A site in lists, with the keychain's state of its secret. */
export interface SiteSummary extends Site {
  readonly secret: SecretPresence
  /** Whether the service has accepted this secret on this computer, when a session was opened. */
  readonly isSecretTried: boolean
  /** null if it does not publish to a bucket. */
  readonly bucketKeys: BucketKeysPresence | null
  /** Whether a person allowed all its plain http URLs (`plainAddresses`); false if it has none. */
  readonly allowHttp: boolean
  /** Whether a person has confirmed on this computer where its signatures, API key and media are sent. */
  readonly isConfirmed: boolean
}

/** The public base URL of this site's media and fonts, without a trailing slash. */
export const publicBase = (site: Pick<Site, 'publicUrl' | 'callbackUrl'>): string =>
  site.publicUrl ?? new URL(site.callbackUrl).origin

/** The site of the built-in emulator with its sample materials. */
export const sampleSite = { id: 'galley-demo', apiKey: 'galley-demo' } as const

export const isSampleSite = ({ id, apiKey }: Pick<Site, 'id' | 'apiKey'>): boolean =>
  id === sampleSite.id && apiKey === sampleSite.apiKey

import type { SecretsState } from '../../../contract/protocol/failure.ts'
import type { SiteId } from '../../../contract/ids.ts'
import type { Result } from '../../../contract/result.ts'
import type { SecretPresence, Site } from '../../../contract/domain/site.ts'
import type { StoreProblem } from './store.ts'

/** What the service has to send back with every callback of a protected site (contract, Authentication 5). */
export interface CallbackCredentials {
  readonly user: string
  /** null for a bearer token, which then is `user`. */
  readonly password: string | null
}

/** What a bucket is written to with. */
export interface BucketKeys {
  readonly id: string
  readonly secret: string
}

/** The secrets of sites, wherever they are kept; `SecretsState` says why one cannot be had. */
export interface SiteSecrets {
  /** The `api_secret` of a site. */
  secret(site: SiteId): Promise<Result<string, SecretsState>>
  /** The credentials that callbacks of this site have to carry; null when the site asks for none. */
  callbackAuth(site: Pick<Site, 'id' | 'callbackAuth'>): Promise<Result<CallbackCredentials | null, SecretsState>>
  /** The keys of this site's bucket, if they were stored for it. */
  bucketKeys(site: SiteId): Promise<Result<BucketKeys, SecretsState>>
  /**
   * What a publishing target of this site is written to with: `id:secret` of a bucket; a password, or `file:PATH` of a
   * private key, with its passphrase in a second line where it has one.
   */
  targetKey(site: SiteId, target: string): Promise<Result<string, SecretsState>>
  presence(site: SiteId): Promise<SecretPresence>
  /** Absent where secrets are given from outside and cannot be written. */
  readonly writer: SecretWriter | null
}

export interface SecretWriter {
  setSecret(site: SiteId, secret: string): Promise<Result<null, StoreProblem>>
  /** Makes and stores callback credentials of the wanted kind, unless there are some; removes them for `none`. */
  provideCallbackAuth(site: SiteId, kind: Site['callbackAuth']): Promise<Result<null, StoreProblem>>
  /** null: forgets them. */
  setBucketKeys(site: SiteId, keys: BucketKeys | null): Promise<Result<null, StoreProblem>>
  /** null: forgets it. */
  setTargetKey(site: SiteId, target: string, key: string | null): Promise<Result<null, StoreProblem>>
  /** `of_service`: the keys of buckets and targets stay. */
  remove(site: SiteId, which: 'all' | 'of_service'): Promise<Result<null, StoreProblem>>
}

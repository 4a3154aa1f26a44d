import type { CredentialsState, Result, SecretsState, SiteId } from '@galley/wire'

import type { SecretPresence, Site } from '../records/site.ts'
import type { StoreProblem } from './store.ts'

/** The credentials that the service must send with every callback of a protected site (contract, Authentication 5). */
export interface CallbackCredentials {
  readonly user: string
  /** null for a bearer token, which is stored in `user`. */
  readonly password: string | null
}

/** The keys for writing to a bucket. */
export interface BucketKeys {
  readonly id: string
  readonly secret: string
}

/** The secrets of sites, independent of their storage. `SecretsState` says why one is not available. */
export interface SiteSecrets {
  /** The `api_secret` of a site. */
  secret(site: SiteId): Promise<Result<string, SecretsState>>
  /** The credentials required for callbacks of this site; null if none are required. */
  callbackAuth(site: Pick<Site, 'id' | 'callbackAuth'>): Promise<Result<CallbackCredentials | null, CredentialsState>>
  /** The keys of this site's bucket, if stored. */
  bucketKeys(site: SiteId): Promise<Result<BucketKeys, SecretsState>>
  /**
   * The credentials of a publishing target: `id:secret` of a bucket; a password; or `file:PATH` of a private key, with an
   * optional passphrase in a second line.
   */
  targetKey(site: SiteId, target: string): Promise<Result<string, SecretsState>>
  /** The secret that signs what is told to the site's webhook: `whsec_` and base64. */
  webhookSecret(site: SiteId): Promise<Result<string, SecretsState>>
  presence(site: SiteId): Promise<SecretPresence>
  /** Absent if secrets come from the environment and cannot be written. */
  readonly writer: SecretWriter | null
}

export interface SecretWriter {
  setSecret(site: SiteId, secret: string): Promise<Result<null, StoreProblem>>
  /** Generates and stores callback credentials of the wanted kind unless they exist; removes them for `none`. */
  provideCallbackAuth(site: SiteId, kind: Site['callbackAuth']): Promise<Result<null, StoreProblem>>
  /** null deletes them. */
  setBucketKeys(site: SiteId, keys: BucketKeys | null): Promise<Result<null, StoreProblem>>
  /** null deletes it. */
  setTargetKey(site: SiteId, target: string, key: string | null): Promise<Result<null, StoreProblem>>
  /** null deletes it. */
  setWebhookSecret(site: SiteId, secret: string | null): Promise<Result<null, StoreProblem>>
  /** `of_service`: keeps the keys of buckets and targets, and the secret of the webhook. */
  remove(site: SiteId, which: 'all' | 'of_service'): Promise<Result<null, StoreProblem>>
}

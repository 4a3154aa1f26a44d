import type { Result, SiteId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { Index } from '../db/library-index.ts'
import type { Site } from '../records/site.ts'
import type { BucketKeys, SiteSecrets } from '../secrets/site-secrets.ts'
import type { StoreProblem } from '../secrets/store.ts'

/**
 * The step at which the keychain failed: storing the secret, callback credentials or bucket keys, or removing a site's
 * entries.
 */
export interface KeychainFailure {
  readonly code: 'secrets_unavailable'
  /** The field of a form that has to be entered again. */
  readonly field?: 'secret' | 'bucketKeys'
  readonly state: `${'secret' | 'credentials' | 'bucket_keys' | 'removal'}_${StoreProblem}`
}

const failed = (state: KeychainFailure['state'], field?: KeychainFailure['field']) =>
  fail<KeychainFailure>({ code: 'secrets_unavailable', ...(field && { field }), state })

/** Stores the given secrets of a site, until the keychain fails. */
export async function storeSecrets(
  writer: NonNullable<SiteSecrets['writer']>,
  { id, callbackAuth }: Site,
  secret: string | null,
  bucketKeys: BucketKeys | null | undefined,
): Promise<Result<null, KeychainFailure>> {
  const stored = secret === null ? ok(null) : await writer.setSecret(id, secret)
  if (!stored.ok) return failed(`secret_${stored.failure}`, 'secret')
  const provided = await writer.provideCallbackAuth(id, callbackAuth)
  if (!provided.ok) return failed(`credentials_${provided.failure}`)
  const kept = bucketKeys === undefined ? ok(null) : await writer.setBucketKeys(id, bucketKeys)
  return kept.ok ? ok(null) : failed(`bucket_keys_${kept.failure}`, 'bucketKeys')
}

/** Makes a site's secrets unreadable at once. Deleting them from the keychain may have to wait. */
export async function dropSecrets(
  { secretMarks }: Pick<Index, 'secretMarks'>,
  secrets: SiteSecrets,
  id: SiteId,
  which: 'all' | 'of_service',
): Promise<void> {
  secretMarks.forget(id)
  if (which === 'all') secretMarks.markBucketKeys(id, null)
  await secrets.writer?.remove(id, which)
}

/** Deletes a site's entries from the keychain, then all its marks. */
export async function removeSecrets(
  { secretMarks }: Pick<Index, 'secretMarks'>,
  { writer }: SiteSecrets,
  id: SiteId,
): Promise<Result<null, KeychainFailure>> {
  const marks = secretMarks.marks(id)
  const isKept =
    (marks.secret ?? marks.callbackAuth ?? marks.bucketKeys) !== null || secretMarks.targetsOf(id).length > 0
  if (writer && isKept) {
    const removed = await writer.remove(id, 'all')
    if (!removed.ok) return failed(`removal_${removed.failure}`)
  }
  secretMarks.forget(id)
  secretMarks.markBucketKeys(id, null)
  return ok(null)
}

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
  readonly kind: 'secrets_unavailable'
  readonly step: 'secret' | 'credentials' | 'bucket_keys' | 'removal'
  readonly state: StoreProblem
}

const failedAt = (step: KeychainFailure['step'], state: StoreProblem) =>
  fail<KeychainFailure>({ kind: 'secrets_unavailable', step, state })

const storeWords: Record<StoreProblem, { readonly is: string; readonly fix: string }> = {
  locked: { is: 'the keychain is locked', fix: 'Unlock it' },
  unavailable: { is: 'there is no keychain', fix: 'Start one' },
}

/** The English text: what happened, what it means for the site, what to do next. */
export function describeKeychainFailure({ step, state }: KeychainFailure): string {
  const { is, fix } = storeWords[state]
  switch (step) {
    case 'secret':
      return `The site was saved, but ${is}, so its secret was not. ${fix}, then enter the secret again.`
    case 'credentials':
      return `The site was saved, but ${is}, so its callback credentials could not be changed. ${fix}, then save the site again.`
    case 'bucket_keys':
      return `The site was saved, but ${is}, so its bucket keys could not be changed. ${fix}, then enter them again.`
    case 'removal':
      return `The site was not removed, because ${is} and its secret cannot be deleted. ${fix}, then remove the site again.`
  }
}

/** Stores the given secrets of a site, until the keychain fails. */
export async function storeSecrets(
  writer: NonNullable<SiteSecrets['writer']>,
  { id, callbackAuth }: Site,
  secret: string | null,
  bucketKeys: BucketKeys | null | undefined,
): Promise<Result<null, KeychainFailure>> {
  const stored = secret === null ? ok(null) : await writer.setSecret(id, secret)
  if (!stored.ok) return failedAt('secret', stored.failure)
  const provided = await writer.provideCallbackAuth(id, callbackAuth)
  if (!provided.ok) return failedAt('credentials', provided.failure)
  const kept = bucketKeys === undefined ? ok(null) : await writer.setBucketKeys(id, bucketKeys)
  return kept.ok ? ok(null) : failedAt('bucket_keys', kept.failure)
}

/** Makes a site's secrets unreadable at once. Deleting them from the keychain may have to wait. */
export async function dropSecrets(
  { secretMarks }: Index,
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
  { secretMarks }: Index,
  { writer }: SiteSecrets,
  id: SiteId,
): Promise<Result<null, KeychainFailure>> {
  const marks = secretMarks.marks(id)
  const isKept =
    (marks.secret ?? marks.callbackAuth ?? marks.bucketKeys) !== null || secretMarks.targetsOf(id).length > 0
  if (writer && isKept) {
    const removed = await writer.remove(id, 'all')
    if (!removed.ok) return failedAt('removal', removed.failure)
  }
  secretMarks.forget(id)
  secretMarks.markBucketKeys(id, null)
  return ok(null)
}

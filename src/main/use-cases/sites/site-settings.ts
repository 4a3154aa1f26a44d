import type { SiteId } from '../../../contract/ids.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { PlainAddress } from '../../../contract/domain/plain-http.ts'
import { describePlainAddress } from '../../../contract/domain/plain-http.ts'
import type { BucketKeysPresence, Site, SiteSummary } from '../../../contract/domain/site.ts'
import type { SiteInput, SiteProblem } from '../../../contract/domain/site-input.ts'
import { readSiteInput } from '../../../contract/domain/site-input.ts'
import type { Index } from '../../library/db/library-index.ts'
import type { BucketKeys, SiteSecrets } from '../../library/secrets/site-secrets.ts'
import type { StoreProblem } from '../../library/secrets/store.ts'
import { createAllowedHttp } from './allowed-http.ts'
import type { Confirmations } from './confirmations.ts'

/** Why a site could not be saved as wished. */
export type SaveSiteFailure = SiteProblem | KeychainFailure | { readonly kind: 'secrets_read_only' }

/** The step that the keychain failed at: storing secret, callback credentials or bucket keys, or removing a site's entries. */
export interface KeychainFailure {
  readonly kind: 'secrets_unavailable'
  readonly step: 'secret' | 'credentials' | 'bucket_keys' | 'removal'
  readonly state: StoreProblem
}

const keychainFailed = (step: KeychainFailure['step'], state: StoreProblem) =>
  fail<KeychainFailure>({ kind: 'secrets_unavailable', step, state })

const storeWords: Record<StoreProblem, { readonly is: string; readonly mend: string }> = {
  locked: { is: 'the keychain is locked', mend: 'Unlock it' },
  unavailable: { is: 'there is no keychain', mend: 'Start one' },
}

/** What happened, what it means for the site, what to do next. */
export function describeKeychainFailure({ step, state }: KeychainFailure): string {
  const { is, mend } = storeWords[state]
  switch (step) {
    case 'secret':
      return `The site is saved, but ${is}, so its secret is not. ${mend}, then enter the secret again.`
    case 'credentials':
      return `The site is saved, but ${is}, so its callback credentials could not be changed. ${mend}, then save the site again.`
    case 'bucket_keys':
      return `The site is saved, but ${is}, so the keys of its bucket could not be changed. ${mend}, then enter them again.`
    case 'removal':
      return `The site was not removed, since ${is}, and its secret has to be taken out first. ${mend}, then remove the site again.`
  }
}

interface SaveOptions {
  readonly allowHttp?: boolean | null
  readonly isSecretRenewed?: boolean
  /** The keys of its bucket; null forgets them, left out they stay. */
  readonly bucketKeys?: BucketKeys | null | undefined
}

const plainHttp = (address: PlainAddress): SiteProblem => ({
  kind: 'invalid_site',
  field: address.field,
  problem: describePlainAddress(address),
  reason: 'plain_http',
})

/** Adding, changing and removing the sites of a library, settings and secrets together. */
export function createSiteSettings(
  index: Index,
  secrets: SiteSecrets,
  confirmations: Confirmations,
  hasEnvironmentKeys: boolean,
  now: () => Date,
) {
  const allowedHttp = createAllowedHttp(index.settings)
  const summary = async (site: Site): Promise<SiteSummary> => ({
    ...site,
    secret: await secrets.presence(site.id),
    bucketKeys: await bucketKeysPresence(site),
    allowHttp: allowedHttp.covers(site),
    isConfirmed: confirmations.isConfirmed(site),
  })

  /** `allowHttp`: what a person says of plain http addresses; null leaves it at what was said and stored before. */
  function read(input: SiteInput, allowHttp: boolean | null): Result<Site, SiteProblem> {
    const checked = readSiteInput(input)
    if (!checked.ok) return checked
    const plain = allowedHttp.refused(checked.value, index.sites.find(checked.value.id), allowHttp)
    return plain ? fail(plainHttp(plain)) : checked
  }

  /** From now on nothing of this site can be read out of the keychain; that it leaves the keychain too may have to wait. */
  async function dropSecrets(id: SiteId, which: 'all' | 'of_service'): Promise<void> {
    index.secretMarks.forget(id)
    if (which === 'all') index.secretMarks.markBucketKeys(id, null)
    await secrets.writer?.remove(id, which)
  }

  async function bucketKeysPresence({ id, publish }: Site): Promise<BucketKeysPresence | null> {
    if (publish.kind !== 's3') return null
    const found = await secrets.bucketKeys(id)
    if (found.ok) return 'stored'
    return found.failure === 'missing' && hasEnvironmentKeys ? 'environment' : found.failure
  }

  return {
    read,
    async list(): Promise<readonly SiteSummary[]> {
      return Promise.all(index.sites.list().map(summary))
    },
    async find(id: string): Promise<SiteSummary | null> {
      const site = index.sites.find(id)
      return site && summary(site)
    },
    /**
     * Saves the settings first, then the secrets; `secret` null keeps what is stored. Whoever calls speaks for a person:
     * the site counts as confirmed. `isSecretRenewed`: another base URL does not get the secret of the one before.
     */
    async save(
      input: SiteInput,
      secret: string | null,
      { allowHttp = null, isSecretRenewed = false, bucketKeys }: SaveOptions = {},
    ): Promise<Result<SiteSummary, SaveSiteFailure>> {
      const checked = read(input, allowHttp)
      if (!checked.ok) return checked
      const site = checked.value
      const { writer } = secrets
      if (!writer && (secret !== null || bucketKeys !== undefined)) return fail({ kind: 'secrets_read_only' })
      const before = index.sites.find(site.id)
      if (isSecretRenewed && before !== null && before.baseUrl !== site.baseUrl)
        await dropSecrets(site.id, 'of_service')
      index.sites.put(site)
      if (allowHttp === true) allowedHttp.allow(site)
      confirmations.confirm(site)
      const stored = writer && secret !== null ? await writer.setSecret(site.id, secret) : ok(null)
      if (!stored.ok) return keychainFailed('secret', stored.failure)
      const provided = writer ? await writer.provideCallbackAuth(site.id, site.callbackAuth) : ok(null)
      if (!provided.ok) return keychainFailed('credentials', provided.failure)
      const kept = writer && bucketKeys !== undefined ? await writer.setBucketKeys(site.id, bucketKeys) : ok(null)
      if (!kept.ok) return keychainFailed('bucket_keys', kept.failure)
      return ok(await summary(site))
    },
    /** Takes the settings of a site over that nobody has confirmed; a site of this id loses its secrets. */
    async takeOver(input: SiteInput, allowHttp: boolean): Promise<Result<SiteSummary, SaveSiteFailure>> {
      const checked = read(input, allowHttp)
      if (!checked.ok) return checked
      const site = checked.value
      if (allowHttp) allowedHttp.allow(site)
      confirmations.forget(site.id)
      await dropSecrets(site.id, 'all')
      index.sites.put(site)
      return ok(await summary(site))
    },
    /** A person has agreed to where this site sends what it sends. */
    async confirm(site: Site): Promise<SiteSummary> {
      confirmations.confirm(site)
      return summary(site)
    },
    /** Takes a site out of all lists and its secrets out of the keychain; its materials and versions stay. */
    async remove(id: string): Promise<Result<boolean, KeychainFailure>> {
      const site = index.sites.find(id)
      if (!site) return ok(false)
      const marks = index.secretMarks.marks(site.id)
      if (secrets.writer && (marks.secret ?? marks.callbackAuth ?? marks.bucketKeys) !== null) {
        const removed = await secrets.writer.remove(site.id, 'all')
        if (!removed.ok) return keychainFailed('removal', removed.failure)
      }
      index.secretMarks.forget(site.id)
      index.secretMarks.markBucketKeys(site.id, null)
      allowedHttp.forget(id)
      confirmations.forget(id)
      return ok(index.sites.remove(id as SiteId, now().toISOString()))
    },
  }
}

export type SiteSettings = ReturnType<typeof createSiteSettings>

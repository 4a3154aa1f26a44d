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
import { createAllowedHttp } from './allowed-http.ts'
import type { Confirmations } from './confirmations.ts'
import type { KeychainFailure } from './kept-secrets.ts'
import { dropSecrets, removeSecrets, storeSecrets } from './kept-secrets.ts'

/** Why a site could not be saved as wished. */
export type SaveSiteFailure = SiteProblem | KeychainFailure | { readonly kind: 'secrets_read_only' }

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
    bucketKeys: await bucketKeysPresence(site, secrets, hasEnvironmentKeys),
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
        await dropSecrets(index, secrets, site.id, 'of_service')
      index.sites.put(site)
      if (allowHttp === true) allowedHttp.allow(site)
      confirmations.confirm(site)
      const kept = writer ? await storeSecrets(writer, site, secret, bucketKeys) : ok(null)
      if (!kept.ok) return kept
      return ok(await summary(site))
    },
    /** Takes the settings of a site over that nobody has confirmed; a site of this id loses its secrets. */
    async takeOver(input: SiteInput, allowHttp: boolean): Promise<Result<SiteSummary, SaveSiteFailure>> {
      const checked = read(input, allowHttp)
      if (!checked.ok) return checked
      const site = checked.value
      if (allowHttp) allowedHttp.allow(site)
      confirmations.forget(site.id)
      await dropSecrets(index, secrets, site.id, 'all')
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
      const removed = await removeSecrets(index, secrets, site.id)
      if (!removed.ok) return removed
      allowedHttp.forget(id)
      confirmations.forget(id)
      return ok(index.sites.remove(id as SiteId, now().toISOString()))
    },
  }
}

export type SiteSettings = ReturnType<typeof createSiteSettings>

async function bucketKeysPresence(
  { id, publish }: Site,
  secrets: SiteSecrets,
  hasEnvironmentKeys: boolean,
): Promise<BucketKeysPresence | null> {
  if (publish.kind !== 's3') return null
  const found = await secrets.bucketKeys(id)
  if (found.ok) return 'stored'
  return found.failure === 'missing' && hasEnvironmentKeys ? 'environment' : found.failure
}

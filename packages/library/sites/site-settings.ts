import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'
import { z } from 'zod'

import type { Index, IndexWith } from '../db/library-index.ts'
import type { PlainAddress } from '../records/plain-http.ts'
import { describePlainAddress, plainAddresses } from '../records/plain-http.ts'
import type { SiteInput, SiteProblem } from '../records/site-input.ts'
import { readSiteInput } from '../records/site-input.ts'
import type { BucketKeysPresence, Site, SiteSummary } from '../records/site.ts'
import { proofOf } from '../secrets/signature-trace.ts'
import type { BucketKeys, SiteSecrets } from '../secrets/site-secrets.ts'
import type { Confirmations } from './confirmations.ts'
import type { KeychainFailure } from './kept-secrets.ts'
import { dropSecrets, removeSecrets, storeSecrets } from './kept-secrets.ts'

/** Why a site could not be saved. */
export type SaveSiteFailure =
  | SiteProblem
  | KeychainFailure
  | { readonly code: 'secrets_read_only'; readonly field: 'secret' }

interface SaveOptions {
  readonly allowHttp?: boolean | null
  readonly isSecretRenewed?: boolean
  /** The keys of its bucket; null deletes them, absent keeps them. */
  readonly bucketKeys?: BucketKeys | null | undefined
}

const plainHttp = (address: PlainAddress): SiteProblem => ({
  code: 'invalid_site',
  field: address.field,
  problem: describePlainAddress(address),
  state: 'plain_http',
})

const urls = z.array(z.string())

/**
 * The plain http URLs that a person has allowed, stored with the library on this computer. Permission is per URL, not per
 * site: a different http URL must be allowed again.
 */
function createAllowedHttp(settings: Index['settings']) {
  const nameOf = (id: string): string => `allowed-http/${id}`
  const allowed = (id: string): ReadonlySet<string> => new Set(urls.parse(JSON.parse(settings.get(nameOf(id)) ?? '[]')))

  return {
    /**
     * The first URL that prevents saving a site; null if none. `consent` is the person's choice; with null, URLs count as
     * allowed if they were allowed before or are already stored.
     */
    refused(site: Site, before: Site | null, consent: boolean | null): PlainAddress | null {
      const plain = plainAddresses(site)
      if (consent !== null) return (consent ? null : plain[0]) ?? null
      const known = new Set([...allowed(site.id), ...(before ? plainAddresses(before).map(({ url }) => url) : [])])
      return plain.find(({ url }) => !known.has(url)) ?? null
    },
    /** Whether every plain http URL of a site was allowed; false if it has none. */
    covers(site: Site): boolean {
      const plain = plainAddresses(site)
      const known = allowed(site.id)
      return plain.length > 0 && plain.every(({ url }) => known.has(url))
    },
    allow(site: Site): void {
      settings.put(nameOf(site.id), JSON.stringify(plainAddresses(site).map(({ url }) => url)))
    },
    forget: (id: string): void => settings.forget(nameOf(id)),
  }
}

/** Adds, changes and removes sites of a library, with their settings and secrets. */
export function createSiteSettings(
  index: IndexWith<'commit' | 'secretMarks' | 'settings' | 'sites' | 'unsignedSaves'>,
  secrets: SiteSecrets,
  confirmations: Confirmations,
  hasEnvironmentKeys: boolean,
  now: () => Date,
) {
  const allowedHttp = createAllowedHttp(index.settings)
  async function summary(site: Site): Promise<SiteSummary> {
    const secret = await secrets.secret(site.id)
    return {
      ...site,
      secret: secret.ok ? 'stored' : secret.failure,
      isSecretTried: secret.ok && index.secretMarks.isTried(site.id, proofOf(site, secret.value)),
      bucketKeys: await bucketKeysPresence(site, secrets, hasEnvironmentKeys),
      allowHttp: allowedHttp.covers(site),
      isConfirmed: confirmations.isConfirmed(site),
    }
  }

  /** `allowHttp`: the person's choice about plain http URLs; null keeps earlier permissions. */
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
     * Saves the settings first, then the secrets. `secret` null keeps the stored one. The caller acts for a person, so the
     * site counts as confirmed. `isSecretRenewed`: a new base URL does not inherit the previous secret.
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
      if (!writer && (secret !== null || bucketKeys !== undefined))
        return fail({ code: 'secrets_read_only', field: 'secret' })
      const before = index.sites.find(site.id)
      // If an earlier change ended before it deleted the secrets, only the confirmation shows to which address they
      // belong.
      const wasAt = confirmations.lastConfirmed(site)?.['baseUrl'] ?? before?.baseUrl ?? site.baseUrl
      // First, as in `remove`; nothing is sent to another base URL before the site is confirmed.
      await index.commit.write(() => index.sites.put(site))
      if (isSecretRenewed && wasAt !== site.baseUrl) await dropSecrets(index, secrets, site.id, 'of_service')
      if (allowHttp === true) allowedHttp.allow(site)
      confirmations.confirm(site)
      if (secret !== null || before?.signatureHeader !== site.signatureHeader) index.unsignedSaves.settle(site.id)
      const kept = writer ? await storeSecrets(writer, site, secret, bucketKeys) : ok(null)
      if (!kept.ok) return kept
      return ok(await summary(site))
    },
    /** Imports the settings of a site unconfirmed. An existing site with this id loses its secrets. */
    async takeOver(input: SiteInput, allowHttp: boolean): Promise<Result<SiteSummary, SaveSiteFailure>> {
      const checked = read(input, allowHttp)
      if (!checked.ok) return checked
      const site = checked.value
      await index.commit.write(() => index.sites.put(site))
      if (allowHttp) allowedHttp.allow(site)
      confirmations.withdraw(site.id)
      await dropSecrets(index, secrets, site.id, 'all')
      return ok(await summary(site))
    },
    /** Stores a person's confirmation of the addresses that this site uses. */
    async confirm(site: Site): Promise<SiteSummary> {
      confirmations.confirm(site)
      return summary(site)
    },
    remove: (id: string) => removeSite({ index, secrets, confirmations, allowedHttp }, id, now().toISOString()),
  }
}

export type SiteSettings = ReturnType<typeof createSiteSettings>

interface RemovalPorts {
  readonly index: IndexWith<'commit' | 'secretMarks' | 'settings' | 'sites' | 'unsignedSaves'>
  readonly secrets: SiteSecrets
  readonly confirmations: Confirmations
  readonly allowedHttp: ReturnType<typeof createAllowedHttp>
}

/**
 * Removes a site from all lists and its secrets from the keychain; from neither if one of them cannot be written. Its
 * materials and versions stay.
 */
async function removeSite(
  { index, secrets, confirmations, allowedHttp }: RemovalPorts,
  id: string,
  at: string,
): Promise<Result<boolean, KeychainFailure>> {
  const site = index.sites.find(id)
  if (!site) return ok(false)
  // First, because the secrets could not be put back.
  await index.commit.write(() => index.sites.remove(site.id, at))
  const removed = await removeSecrets(index, secrets, site.id)
  if (!removed.ok) {
    await index.commit.write(() => index.sites.put(site))
    return removed
  }
  allowedHttp.forget(id)
  confirmations.forget(id)
  return ok(true)
}

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

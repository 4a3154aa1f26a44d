import type { SecretsState } from '../../contract/failure.ts'
import type { SiteId } from '../../contract/ids.ts'
import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import type { Site, SiteSummary } from '../../contract/site.ts'
import type { SiteInput, SiteProblem } from '../../contract/site-input.ts'
import { readSiteInput } from '../../contract/site-input.ts'
import type { Index } from '../db/library-index.ts'
import type { SiteSecrets } from '../secrets/site-secrets.ts'

/** Why a site could not be saved as wished. */
export type SaveSiteFailure =
  | SiteProblem
  | { readonly kind: 'secrets_unavailable'; readonly state: SecretsState }
  | { readonly kind: 'secrets_read_only' }

/** Adding, changing and removing the sites of a library, settings and secrets together. */
export function createSiteSettings(index: Index, secrets: SiteSecrets, now: () => Date) {
  const withSecret = async (site: Site): Promise<SiteSummary> => ({ ...site, secret: await secrets.presence(site.id) })

  return {
    async list(): Promise<readonly SiteSummary[]> {
      return Promise.all(index.sites.list().map(withSecret))
    },
    async find(id: string): Promise<SiteSummary | null> {
      const site = index.sites.find(id)
      return site && withSecret(site)
    },
    /** Saves the settings first, then the secrets; `secret` null keeps what is stored. */
    async save(input: SiteInput, secret: string | null): Promise<Result<SiteSummary, SaveSiteFailure>> {
      const read = readSiteInput(input)
      if (!read.ok) return read
      const site = read.value
      const { writer } = secrets
      if (!writer && secret !== null) return fail({ kind: 'secrets_read_only' })
      index.sites.put(site)
      const stored = writer && secret !== null ? await writer.setSecret(site.id, secret) : ok(null)
      if (!stored.ok) return fail({ kind: 'secrets_unavailable', state: stored.failure })
      const provided = writer ? await writer.provideCallbackAuth(site.id, site.callbackAuth) : ok(null)
      if (!provided.ok) return fail({ kind: 'secrets_unavailable', state: provided.failure })
      return ok(await withSecret(site))
    },
    /** Takes a site out of all lists and its secrets out of the keychain; its materials and versions stay. */
    async remove(
      id: string,
    ): Promise<Result<boolean, { readonly kind: 'secrets_unavailable'; readonly state: SecretsState }>> {
      const site = index.sites.find(id)
      if (!site) return ok(false)
      const marks = index.sites.marks(site.id)
      if (secrets.writer && (marks.secret ?? marks.callbackAuth) !== null) {
        const removed = await secrets.writer.remove(site.id)
        if (!removed.ok) return fail({ kind: 'secrets_unavailable', state: removed.failure })
      }
      return ok(index.sites.remove(id as SiteId, now().toISOString()))
    },
  }
}

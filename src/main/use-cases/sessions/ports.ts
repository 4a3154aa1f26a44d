import type { Site } from '../../../contract/domain/site.ts'
import type { Index } from '../../library/db/library-index.ts'
import type { SiteSecrets } from '../../library/secrets/site-secrets.ts'
import type { Vault } from '../../library/vault/vault.ts'

/** What opening a session needs of the library and its keys. */
export interface SessionPorts {
  readonly index: Index
  readonly vault: Vault
  readonly secrets: SiteSecrets
  /** Nothing is signed for a site that nobody has confirmed on this machine. */
  readonly confirmations: { isConfirmed(site: Site): boolean }
  readonly clientLabel: string
  readonly now: () => Date
}

import type { Index } from '../../library/db/library-index.ts'
import type { SiteSecrets } from '../../library/secrets/site-secrets.ts'
import type { Confirmations } from '../sites/confirmations.ts'
import type { Vault } from '../../library/vault/vault.ts'

/** What opening a session needs of the library and its keys. */
export interface SessionPorts {
  readonly index: Index
  readonly vault: Vault
  readonly secrets: SiteSecrets
  readonly confirmations: Confirmations
  readonly clientLabel: string
  readonly now: () => Date
}

import type { Site } from '../../../contract/domain/site.ts'
import type { Index } from '../../library/db/library-index.ts'
import type { SiteSecrets } from '../../library/secrets/site-secrets.ts'
import type { Vault } from '../../library/vault/vault.ts'
import type { Network } from '../../platform/network/network.ts'

/** The parts of a library that opening a session needs. */
export interface SessionPorts {
  readonly index: Index
  readonly vault: Vault
  readonly network: Network
  readonly secrets: SiteSecrets
  /** Galley signs nothing for a site that is not confirmed on this computer. */
  readonly confirmations: { isConfirmed(site: Site): boolean }
  readonly clientLabel: string
  readonly now: () => Date
}

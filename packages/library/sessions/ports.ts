import type { Network } from '@galley/platform'

import type { Index } from '../db/library-index.ts'
import type { Site } from '../records/site.ts'
import type { SiteSecrets } from '../secrets/site-secrets.ts'
import type { Vault } from '../vault/vault.ts'

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

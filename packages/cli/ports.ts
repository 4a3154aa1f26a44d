import type {
  AppSettingsStore,
  Care,
  ChangeFeed,
  Confirmations,
  Index,
  Listening,
  OpenedLibrary,
  Replay,
  Reviewing,
  SecretSource,
  Sessions,
  SiteSecrets,
  SiteSettings,
  Tasks,
  Vault,
  Webhooks,
} from '@galley/library'
import type { Network } from '@galley/platform'
import type { Previews, Publishers, Releasing } from '@galley/sites'
import type { Member } from '@galley/team'

/** The parts of a library that commands use. The composition root supplies them. */
export interface LibraryPorts {
  readonly folder: string
  readonly now: () => Date
  readonly library: OpenedLibrary
  readonly index: Index
  readonly vault: Vault
  readonly network: Network
  readonly changes: Pick<ChangeFeed, 'onCallback'>
  readonly settings: AppSettingsStore
  readonly secrets: SiteSecrets
  readonly tasks: Tasks
  /** Null outside a team. */
  readonly team: Member | null
  readonly confirmations: Confirmations
  readonly sites: SiteSettings
  readonly sessions: Pick<Sessions, 'open'>
  readonly publishers: Publishers
  readonly releasing: Releasing
  readonly previews: Previews
  readonly listener: Listening
  readonly care: Care
  readonly replay: Replay
  readonly webhooks: Webhooks
  readonly reviewing: Reviewing
  /** Makes the pages of up to `limit` versions searchable that are not, unless the library is read-only. */
  readonly makeSearchable: (limit: number, signal: AbortSignal) => Promise<unknown>
  readonly close: () => Promise<void>
}

/** The options with which a command opens a library. */
export interface LibraryOptions {
  readonly folder: string
  readonly secrets: SecretSource
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly workerScript: string
  readonly backgroundScript: string
  readonly version: string
  /** The previous listener address answers `busy` while the library opens. */
  readonly isAboutToListen?: boolean
  readonly log: (line: string) => void
  readonly hide?: (values: () => Iterable<string>) => void
}

export type CreateLibrary = (options: LibraryOptions) => Promise<LibraryPorts>

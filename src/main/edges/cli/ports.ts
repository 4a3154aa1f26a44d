import type { ChangeFeed } from '../../library/changes.ts'
import type { Index } from '../../library/db/library-index.ts'
import type { OpenedLibrary } from '../../library/db/open-library.ts'
import type { SecretSource } from '../../library/secrets/keys.ts'
import type { SiteSecrets } from '../../library/secrets/site-secrets.ts'
import type { AppSettingsStore } from '../../library/settings/app-settings.ts'
import type { Vault } from '../../library/vault/vault.ts'
import type { Network } from '../../platform/network/network.ts'
import type { Tasks } from '../../platform/tasks/tasks.ts'
import type { Care } from '../../use-cases/care/care.ts'
import type { Replay } from '../../use-cases/intake/replay.ts'
import type { Publishers } from '../../use-cases/publishing/publishers.ts'
import type { Previews } from '../../use-cases/releasing/previews.ts'
import type { Releasing } from '../../use-cases/releasing/releasing.ts'
import type { Sessions } from '../../use-cases/sessions/open-session.ts'
import type { Confirmations } from '../../use-cases/sites/confirmations.ts'
import type { SiteSettings } from '../../use-cases/sites/site-settings.ts'
import type { Member } from '../../use-cases/team/member.ts'
import type { Listening } from '../http/listening.ts'

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

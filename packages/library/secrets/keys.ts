import type { Index } from '../db/library-index.ts'
import type { KeychainHealth } from '../views/health.ts'
import { derivingCredentials } from './derived-credentials.ts'
import { secretsFromEnvironment } from './from-environment.ts'
import type { SecretStore } from './store.ts'
import { createStoredSecrets } from './stored-secrets.ts'
import { createTemporarySecrets } from './temporary-secrets.ts'

/** The storage of secrets: a keychain, or the environment variables to read (`--secrets env`). */
export type SecretSource = SecretStore | { readonly environment: Readonly<Record<string, string | undefined>> }

/** The secrets of a library's sites, and the values that no log may contain: secrets that were read, and api_keys. */
export function createKeys(
  source: SecretSource,
  index: Pick<Index, 'secretMarks' | 'library' | 'sites' | 'followTeam'>,
  now: () => Date,
) {
  const own =
    'environment' in source
      ? secretsFromEnvironment(source.environment)
      : createStoredSecrets(source, index.secretMarks, index.library(), () => now().getTime())
  const kept = index.followTeam === null ? own : derivingCredentials(own)
  const read = new Set<string>()
  const temporary = createTemporarySecrets(kept, (value) => read.add(value))
  return {
    ...temporary,
    /** Reads every secret once, so that a copy of a library has its own entries before the other folder removes its own. */
    async readAll(): Promise<void> {
      for (const site of index.sites.list()) {
        const targets = index.secretMarks.targetsOf(site.id).map((name) => () => own.targetKey(site.id, name))
        const reads = [
          () => own.secret(site.id),
          () => own.callbackAuth(site),
          () => own.bucketKeys(site.id),
          ...targets,
        ]
        for (const read of reads) {
          const found = await read()
          // Each further read might wait as long.
          if (!found.ok && (found.failure === 'locked' || found.failure === 'unavailable')) return
        }
      }
    },
    hidden: (): readonly string[] => [...read, ...index.sites.list().map(({ apiKey }) => apiKey)],
    async probe(): Promise<KeychainHealth> {
      if ('environment' in source) return 'environment'
      const found = await source.read('nothing')
      return found.ok ? 'usable' : found.failure
    },
  }
}

export type Keys = ReturnType<typeof createKeys>

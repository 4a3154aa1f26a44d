import { createHmac } from 'node:crypto'
import { ok } from '@galley/wire'
import type { SiteId } from '@galley/wire'

import type { Index } from '../db/library-index.ts'
import type { KeychainHealth } from '../views/health.ts'
import { secretsFromEnvironment } from './from-environment.ts'
import type { SiteSecrets } from './site-secrets.ts'
import type { SecretStore } from './store.ts'
import { createStoredSecrets } from './stored-secrets.ts'

/** The storage of secrets: a keychain, or the environment variables to read (`--secrets env`). */
export type SecretSource = SecretStore | { readonly environment: Readonly<Record<string, string | undefined>> }

/**
 * The secrets of a member of a team: callback credentials derive from the secret of the site, so that every machine that
 * holds the secret makes and accepts the same ones. Credentials in the environment take precedence.
 */
function derivingCredentials(kept: SiteSecrets): SiteSecrets {
  return {
    ...kept,
    async callbackAuth(site) {
      if (site.callbackAuth === 'none') return ok(null)
      const given = kept.writer === null ? await kept.callbackAuth(site) : null
      if (given?.ok === true) return given
      const secret = await kept.secret(site.id)
      if (!secret.ok) return secret
      const token = createHmac('sha256', secret.value)
        .update(`galley callback credentials ${site.id}`)
        .digest('base64url')
      return ok(site.callbackAuth === 'basic' ? { user: 'galley', password: token } : { user: token, password: null })
    },
    writer: kept.writer && { ...kept.writer, provideCallbackAuth: () => Promise.resolve(ok(null)) },
  }
}

/**
 * Temporary secrets of this process, which take precedence over stored ones: the secret of the built-in emulator does not
 * belong in a keychain. `note` receives every value that is read, so that it can be kept out of logs.
 */
function createTemporarySecrets(kept: SiteSecrets, note: (value: string) => void) {
  const temporary = new Map<string, string>()
  const secrets: SiteSecrets = {
    ...kept,
    async secret(site) {
      const secret = temporary.get(site)
      const found = secret === undefined ? await kept.secret(site) : ok(secret)
      if (found.ok) note(found.value)
      return found
    },
    async callbackAuth(site) {
      const found = await kept.callbackAuth(site)
      if (found.ok && found.value !== null) note(found.value.password ?? found.value.user)
      return found
    },
    async bucketKeys(site) {
      const found = await kept.bucketKeys(site)
      if (found.ok) note(found.value.secret)
      return found
    },
    async targetKey(site, target) {
      const found = await kept.targetKey(site, target)
      if (!found.ok) return found
      // The whole value, and its secret part.
      const [, secret = ''] = /^[^:\s]+:(\S+)$/.exec(found.value) ?? []
      for (const value of [secret, ...found.value.split('\n')]) if (value !== '') note(value)
      return found
    },
    async webhookSecret(site) {
      const found = await kept.webhookSecret(site)
      if (found.ok) note(found.value)
      return found
    },
    presence: (site) => (temporary.has(site) ? Promise.resolve('stored') : kept.presence(site)),
  }
  return {
    secrets,
    lend: (site: SiteId, secret: string): void => void temporary.set(site, secret),
    takeBack: (site: SiteId): void => void temporary.delete(site),
  }
}

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

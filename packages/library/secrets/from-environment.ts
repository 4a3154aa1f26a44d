import type { Result, SiteId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { BucketKeys, CallbackCredentials, SiteSecrets } from './site-secrets.ts'

/**
 * A site id in the name of an environment variable: upper case, with all characters other than A-Z and 0-9 replaced by `_`.
 */
export const variablePart = (site: SiteId): string => site.toUpperCase().replace(/[^A-Z0-9]/g, '_')

/**
 * Reads secrets from GALLEY_SECRET_<SITE>, GALLEY_CALLBACK_AUTH_<SITE>, GALLEY_S3_KEYS_<SITE>,
 * GALLEY_TARGET_<SITE>_<NAME> and GALLEY_WEBHOOK_SECRET_<SITE>, for servers without a keychain (`--secrets env`). Never writes.
 */
export function secretsFromEnvironment(environment: Readonly<Record<string, string | undefined>>): SiteSecrets {
  const read = (prefix: string, site: SiteId): Result<string, 'missing'> => {
    const value = environment[`${prefix}_${variablePart(site)}`]
    return value ? ok(value) : fail('missing')
  }
  return {
    secret: (site) => Promise.resolve(read('GALLEY_SECRET', site)),
    callbackAuth: (site) => {
      if (site.callbackAuth === 'none') return Promise.resolve(ok(null))
      const value = read('GALLEY_CALLBACK_AUTH', site.id)
      const credentials = value.ok ? parseCredentials(value.value, site.callbackAuth) : null
      return Promise.resolve(credentials ? ok(credentials) : fail('credentials_missing'))
    },
    bucketKeys: (site) => {
      const value = read('GALLEY_S3_KEYS', site)
      const keys = value.ok ? parseBucketKeys(value.value) : null
      return Promise.resolve(keys ? ok(keys) : fail('missing'))
    },
    targetKey: (site, target) => Promise.resolve(read('GALLEY_TARGET', `${site}_${target}`)),
    webhookSecret: (site) => Promise.resolve(read('GALLEY_WEBHOOK_SECRET', site)),
    presence: (site) => Promise.resolve(read('GALLEY_SECRET', site).ok ? 'stored' : 'missing'),
    writer: null,
  }
}

/** `user:password` for basic (split at the first colon; both required), or the whole value as a bearer token. */
function parseCredentials(value: string, kind: 'basic' | 'bearer'): CallbackCredentials | null {
  if (kind === 'bearer') return { user: value, password: null }
  const [, user, password] = /^([^:]+):(.+)$/s.exec(value) ?? []
  return user !== undefined && password !== undefined ? { user, password } : null
}

/** `id:secret`; both are required. */
function parseBucketKeys(value: string): BucketKeys | null {
  const [, id, secret] = /^([^:\s]+):(\S+)$/.exec(value) ?? []
  return id !== undefined && secret !== undefined ? { id, secret } : null
}

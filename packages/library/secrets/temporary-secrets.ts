import type { SiteId } from '@galley/wire'
import { ok } from '@galley/wire'

import type { SiteSecrets } from './site-secrets.ts'

/**
 * Temporary secrets of this process, which take precedence over stored ones: the secret of the built-in emulator does not
 * belong in a keychain. `note` receives every value that is read, so that it can be kept out of logs.
 */
export function createTemporarySecrets(kept: SiteSecrets, note: (value: string) => void) {
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

import { ok } from '../../contract/result.ts'
import type { SiteSecrets } from './site-secrets.ts'

/** Secrets that live as long as the process, in front of those that are kept: the built-in emulator's has no business in a keychain. */
export function createLentSecrets(kept: SiteSecrets) {
  const lent = new Map<string, string>()
  const secrets: SiteSecrets = {
    ...kept,
    secret: (site) => {
      const secret = lent.get(site)
      return secret === undefined ? kept.secret(site) : Promise.resolve(ok(secret))
    },
    presence: (site) => (lent.has(site) ? Promise.resolve('stored') : kept.presence(site)),
  }
  return {
    secrets,
    lend: (site: string, secret: string): void => void lent.set(site, secret),
    takeBack: (site: string): void => void lent.delete(site),
  }
}

import { createHmac } from 'node:crypto'
import { ok } from '@galley/wire'

import type { SiteSecrets } from './site-secrets.ts'

/**
 * The secrets of a member of a team: callback credentials derive from the secret of the site, so that every machine that
 * holds the secret makes and accepts the same ones. Credentials in the environment take precedence.
 */
export function derivingCredentials(kept: SiteSecrets): SiteSecrets {
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

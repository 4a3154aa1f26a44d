import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { Reply } from '../http/exchange.ts'
import { refusal } from '../http/exchange.ts'
import { refuseHost, siteOfKey } from '../sites/admission.ts'
import { callbackHost } from '../sites/admission.ts'
import type { ServiceSite, ServiceSites } from '../sites/service-site.ts'
import type { Session, Sessions } from '../store/sessions.ts'
import type { FontSet } from './parse-fonts.ts'

/** The site and session that a font set is sent for, and its target URL. */
export interface FontsSender {
  readonly site: ServiceSite
  /** Provides fingerprint, metadata and callback credentials; null when the key has no session yet. */
  readonly session: Session | null
  readonly callbackUrl: string
}

/**
 * Finds the sender of a font set. Fonts belong to the site, not to a material, so if the named material has no session, uses
 * the key's most recently used one. Without any session, callback_url is required.
 */
export function findFontsSender(
  sites: ServiceSites,
  sessions: Sessions,
  { apiKey, materialId, callbackUrl }: FontSet,
): Result<FontsSender, Reply> {
  const site = siteOfKey(sites, apiKey ?? sites.keys().next().value ?? '')
  if (!site.ok) return site
  const latest = sessions.latestOf(site.value.apiKey)
  const session = sessions.ofMaterial(site.value.apiKey, materialId) ?? latest
  const url = callbackUrl ?? latest?.callbackUrl
  if (url === undefined)
    return fail(refusal(400, 'invalid_request', 'callback_url is missing, and this key has no session yet.'))
  const hostname = callbackHost(url)
  if (hostname === null)
    return fail(refusal(400, 'invalid_request', 'callback_url must be an absolute http or https URL.'))
  const refused = refuseHost(site.value, hostname)
  return refused === null ? ok({ site: site.value, session, callbackUrl: url }) : fail(refused)
}

import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import { isSigned } from '../callbacks/signature.ts'
import type { Incoming, Reply } from '../http/exchange.ts'
import { headerValue, refusal } from '../http/exchange.ts'
import type { ServiceSite, ServiceSites } from './service-site.ts'
import { isAllowedHost } from './service-site.ts'

/** The site of a key; 401 for an unknown key. */
export function siteOfKey(sites: ServiceSites, apiKey: string): Result<ServiceSite, Reply> {
  const site = sites.get(apiKey)
  return site === undefined ? fail(refusal(401, 'unknown_api_key', 'This API key is not known.')) : ok(site)
}

/** 403 unless the request has the site's signature over `material_id:url`; null when it does. */
export function refuseUnsigned(site: ServiceSite, incoming: Incoming, materialId: string, url: string): Reply | null {
  const header = headerValue(incoming.headers, site.signatureHeader)
  if (isSigned(site.apiSecret, materialId, url, header)) return null
  return refusal(403, 'invalid_signature', `The signature in ${site.signatureHeader} is missing or does not match.`)
}

/** 403 when the key does not allow this host; null when it does. */
export function refuseHost(site: ServiceSite, hostname: string): Reply | null {
  if (isAllowedHost(site, hostname)) return null
  return refusal(403, 'host_not_allowed', `Host ${hostname} not allowed for this API key`)
}

/** The host name of a valid callback URL; null for any other. */
export function callbackHost(callbackUrl: string): string | null {
  if (!URL.canParse(callbackUrl)) return null
  const { protocol, hostname, username, password } = new URL(callbackUrl)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '' ? hostname : null
}

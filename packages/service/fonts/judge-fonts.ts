import type { DeliveryResult } from '../callbacks/deliver.ts'
import type { CallbackOutcome } from '../callbacks/outcome.ts'
import { failed } from '../callbacks/outcome.ts'
import { readAnswer } from '../callbacks/read-answer.ts'
import { memberText } from '../json/object-text.ts'
import { isUnresolved } from '../saving/state-assets.ts'
import type { ServiceSite } from '../sites/service-site.ts'
import { isAllowedHost } from '../sites/service-site.ts'

/** The result of an answer to `site_fonts_updated`, and the tree to store. */
export interface FontsVerdict {
  readonly outcome: CallbackOutcome
  readonly tree: string
}

/**
 * Every `clientUrl` of a tree, at any depth, since the contract does not define its structure. Iterative, as the site
 * controls the depth.
 */
function clientUrlsIn(tree: unknown): readonly string[] {
  const urls: string[] = []
  const open: unknown[] = [tree]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'clientUrl' && typeof inner === 'string') urls.push(inner)
      else open.push(inner)
    }
  }
  return urls
}

function isAllowedUrl(site: ServiceSite, url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return (protocol === 'http:' || protocol === 'https:') && isAllowedHost(site, hostname)
}

/**
 * Judges the site's answer (contract, Errors 3): a URL outside the allowed domains fails the webhook with
 * `domain_not_allowed` and keeps the old tree. Empty and `dummy-` entries are ignored: a site may omit the tree, and
 * leave entries unfilled.
 */
export function judgeFonts(delivery: DeliveryResult, site: ServiceSite, sentTree: string): FontsVerdict {
  const accepted = readAnswer(delivery)
  if (!accepted.ok) return { outcome: accepted.failure, tree: sentTree }
  const { message, data } = accepted.value
  const { fonts: answered = null } = data
  // The payload's tree may be a list too, since the contract does not define its structure.
  if (typeof answered !== 'object')
    return { outcome: failed('invalid_answer', 'data.fonts in the response is not a JSON object.'), tree: sentTree }
  const refused = clientUrlsIn(answered).filter((url) => !isUnresolved(url) && !isAllowedUrl(site, url))
  if (refused.length > 0) {
    const words = `These addresses are not on a domain allowed for this site: ${refused.slice(0, 10).join(', ')}`
    return { outcome: failed('domain_not_allowed', words), tree: sentTree }
  }
  const tree =
    delivery.delivered && answered !== null ? memberText(memberText(delivery.text, 'data') ?? '{}', 'fonts') : null
  return { outcome: { result: 'merged', error: null, message }, tree: tree ?? sentTree }
}

import { parseJsonObject } from '../json/json-value.ts'
import { assetEntries, clientUrlOf, isUnresolved } from '../saving/state-assets.ts'
import type { ServiceSite } from '../sites/service-site.ts'
import { isAllowedHost } from '../sites/service-site.ts'
import type { WantedFile } from '../store/restored-files.ts'

/** The files of a state that a site passed. */
export const wantedFiles = (state: string): readonly WantedFile[] =>
  assetEntries(parseJsonObject(state)).map(([name, entry]) => ({ name, url: clientUrlOf(entry) }))

/** Why an address is not asked for, or null. The site's credentials go along, so only its own hosts are. */
export function refusedFor(url: string, site: ServiceSite): string | null {
  if (isUnresolved(url)) return 'it has no public address'
  if (!URL.canParse(url)) return 'its address is not complete'
  const { protocol, hostname, username, password } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return 'its address is not an http or https address'
  if (username !== '' || password !== '') return 'its address holds a user name'
  return isAllowedHost(site, hostname) ? null : `the host ${hostname} is not allowed for this site`
}

/**
 * Whether a host is on the allowed domains of a site (contract, Errors 3). A domain allows itself and what lies below
 * it; an empty list allows everything, because then nothing was configured to check against.
 */
export function isAllowedHost(host: string, allowedDomains: readonly string[]): boolean {
  if (allowedDomains.length === 0) return true
  const name = host.toLowerCase()
  return allowedDomains.some((domain) => {
    const allowed = domain.toLowerCase().replace(/^\*?\./, '')
    return name === allowed || name.endsWith(`.${allowed}`)
  })
}

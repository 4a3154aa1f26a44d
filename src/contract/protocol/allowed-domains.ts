/**
 * Whether a host is on the allowed domains of a site (contract, Errors 3). A domain allows itself and what lies below
 * it; an empty list allows everything, because then nothing was configured to check against.
 */
export function isAllowedHost(host: string, allowedDomains: readonly string[]): boolean {
  if (allowedDomains.length === 0) return true
  const name = host.toLowerCase()
  return allowedDomains.some((domain) => {
    const allowed = asciiDomain(domain)
      .toLowerCase()
      .replace(/^\*?\./, '')
    return name === allowed || name.endsWith(`.${allowed}`)
  })
}

/**
 * A domain as hosts of addresses are written: letters beyond ASCII become Punycode. A leading `*.` stays, and what is no
 * host name comes back as it is.
 */
export function asciiDomain(domain: string): string {
  const [, prefix = '', name = ''] = /^(\*?\.)?(.*)$/su.exec(domain) ?? []
  const isForeign = /[^\u0000-\u007f]/u.test(name)
  // Signs that part an address would make a host of less than the whole.
  if (!isForeign || /[\s/\\?#@:[\]%]/u.test(name) || !URL.canParse(`http://${name}`)) return domain
  return prefix + new URL(`http://${name}`).hostname
}

/**
 * Whether a host matches the allowed domains of a site (contract, Errors 3). A domain also allows its subdomains. An empty
 * list allows every host.
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
 * Converts a domain to the form used in URLs: non-ASCII letters become Punycode. Keeps a leading `*.`. Returns anything that
 * is not a host name unchanged.
 */
export function asciiDomain(domain: string): string {
  const [, prefix = '', name = ''] = /^(\*?\.)?(.*)$/su.exec(domain) ?? []
  const isForeign = /[^\u0000-\u007f]/u.test(name)
  // With these characters, the URL parser would read only a part as the host.
  if (!isForeign || /[\s/\\?#@:[\]%]/u.test(name) || !URL.canParse(`http://${name}`)) return domain
  return prefix + new URL(`http://${name}`).hostname
}

/** An address that says no host of its own gets this one; no real host is ever named so. */
const nowhere = 'no-host.invalid'

/** The distinct hosts that these addresses lead to, without ports; addresses without one are left out. */
export function urlHosts(urls: Iterable<string>): readonly string[] {
  const hosts = new Set<string>()
  for (const url of urls) {
    // With a base, `//host/path` shows its host too, as it would in a page.
    if (URL.canParse(url, `https://${nowhere}`)) hosts.add(new URL(url, `https://${nowhere}`).hostname)
  }
  hosts.delete(nowhere)
  hosts.delete('')
  return [...hosts]
}

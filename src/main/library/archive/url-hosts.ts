/** A placeholder host for URLs without one. Never a real host. */
const nowhere = 'no-host.invalid'

/** The distinct hosts of these URLs, without ports. URLs without a host are skipped. */
export function urlHosts(urls: Iterable<string>): readonly string[] {
  const hosts = new Set<string>()
  for (const url of urls) {
    // With a base URL, `//host/path` resolves to its host, as in a page.
    if (URL.canParse(url, `https://${nowhere}`)) hosts.add(new URL(url, `https://${nowhere}`).hostname)
  }
  hosts.delete(nowhere)
  hosts.delete('')
  return [...hosts]
}

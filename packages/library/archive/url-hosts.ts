/** A placeholder host for URLs without one. Never a real host. */
const placeholderHost = 'no-host.invalid'

/** The distinct hosts of these URLs, without ports. URLs without a host are skipped. */
export function urlHosts(urls: Iterable<string>): readonly string[] {
  const hosts = new Set<string>()
  for (const url of urls) {
    // With a base URL, `//host/path` resolves to its host, as in a page.
    if (URL.canParse(url, `https://${placeholderHost}`)) hosts.add(new URL(url, `https://${placeholderHost}`).hostname)
  }
  hosts.delete(placeholderHost)
  hosts.delete('')
  return [...hosts]
}

const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Whether the URL of an editing session may be opened in the browser: https on any host, http only on this computer, and
 * never with a user name, which can disguise the host.
 */
export function isOpenableEditorUrl(url: string): boolean {
  // The parser removes tabs, line breaks and outer blanks, so the opened URL would differ from the shown one.
  if (/[\s\p{Cc}\\]/u.test(url) || !URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  if (username !== '' || password !== '' || hostname === '') return false
  if (protocol === 'https:') return /^https:\/\//i.test(url)
  return protocol === 'http:' && /^http:\/\//i.test(url) && loopbackHosts.has(hostname)
}

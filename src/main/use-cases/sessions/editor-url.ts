const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Whether the address of an editing session may be handed to the browser: https anywhere, http
 * only on this machine, and never with a user name, which serves to make one host look like another.
 */
export function isOpenableEditorUrl(url: string): boolean {
  // The parser drops tabs, line breaks and outer blanks, so what is opened would not be what was shown.
  if (/[\s\p{Cc}\\]/u.test(url) || !URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  if (username !== '' || password !== '' || hostname === '') return false
  if (protocol === 'https:') return /^https:\/\//i.test(url)
  return protocol === 'http:' && /^http:\/\//i.test(url) && loopbackHosts.has(hostname)
}

/** Quotes a value for a POSIX shell unless it needs none. */
const shellWord = (text: string): string =>
  /^[\w./:@-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The values of a site that the commands contain; what is not known yet is empty. */
export interface ReachFacts {
  readonly id: string
  readonly baseUrl: string
  readonly apiKey: string
  readonly port: string
}

/** A public name of the person's own; they replace it. */
const host = 'hooks.example.com'

/**
 * What makes a listener reachable for a service on the internet: a proxy on the computer itself, a tunnel to one's own server
 * with a proxy there, or a listener on the server. No secret is in it: the last one asks for it on standard input.
 */
export function reachRecipes({ id, baseUrl, apiKey, port }: ReachFacts) {
  const site = id.trim() || 'SITE'
  const callbackUrl = `https://${host}/callback/${site}`
  const proxy = (to: string): string => `caddy reverse-proxy --from ${host} --to 127.0.0.1:${to}`
  return {
    callbackUrl,
    proxy: proxy(port),
    tunnel: `ssh -N -R 127.0.0.1:8787:127.0.0.1:${port} user@${host}\n${proxy('8787')}   # on the server`,
    server: [
      `galley site add ${shellWord(site)} --base-url ${shellWord(baseUrl.trim() || 'URL')} \\`,
      `  --api-key ${shellWord(apiKey.trim() || 'KEY')} --callback-url ${shellWord(callbackUrl)} --secret-stdin < secret.txt`,
      'galley listen',
    ].join('\n'),
  }
}

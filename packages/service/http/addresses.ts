import type { IncomingHttpHeaders } from 'node:http'

/** All URLs of the emulator. The same functions create the URLs that are signed and those that are verified. */
export interface Addresses {
  /** Root URL of the emulator, without a trailing slash. */
  readonly root: string
  /** The `base_url` that sites are configured with. */
  readonly base: string
  /** Below the root, unless a site calls the emulator through a proxy: browsers then use that too. */
  readonly editor: (fingerprint: string, proxy?: string) => string
  /** Downloads, below the root or the origin by which a site calls the emulator. */
  readonly media: (fingerprint: string, versionId: string, origin?: string) => string
  readonly fonts: (fingerprint: string, snapshotId: string, origin?: string) => string
  /** Path of the style sheet that shows a font set in the editor. */
  readonly fontSheet: (snapshotId: string) => string
}

/** URLs for the bound host. A wildcard host is replaced by loopback. */
export function createAddresses(host: string, port: number): Addresses {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  const root = `http://${name}:${port}`
  const base = `${root}/integration`
  const download = (kind: string, fingerprint: string, id: string, origin = ''): string =>
    `${origin || root}/integration/download/${kind}/${fingerprint}/${id}`
  return {
    root,
    base,
    editor: (fingerprint, proxy = root) => `${proxy}/editor/${fingerprint}`,
    media: (fingerprint, versionId, origin) => download('media', fingerprint, versionId, origin),
    fonts: (fingerprint, snapshotId, origin) => download('fonts', fingerprint, snapshotId, origin),
    fontSheet: (snapshotId) => `/_emulator/fonts/${snapshotId}/vms_fonts.css`,
  }
}

/** Whether a host name (as in `URL.hostname`) is a loopback name or address. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** The origin of a proxy with TLS that a request came through. */
export const proxyOf = ({ host = '', 'x-forwarded-proto': scheme }: IncomingHttpHeaders): string | undefined =>
  scheme === 'https' ? `https://${host}` : undefined

/** The origin by which a request has called the emulator. */
export const originOf = (headers: IncomingHttpHeaders): string => proxyOf(headers) ?? `http://${headers.host ?? ''}`

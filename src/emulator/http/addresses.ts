/** All URLs of the emulator. The same functions create the URLs that are signed and those that are verified. */
export interface Addresses {
  /** Root URL of the emulator, without a trailing slash. */
  readonly root: string
  /** The `base_url` that sites are configured with. */
  readonly base: string
  readonly editor: (fingerprint: string) => string
  readonly media: (fingerprint: string, versionId: string) => string
  readonly fonts: (fingerprint: string, snapshotId: string) => string
  /** Path of the style sheet that shows a font set in the editor. */
  readonly fontSheet: (snapshotId: string) => string
}

/** URLs for the bound host. A wildcard host is replaced by loopback. */
export function createAddresses(host: string, port: number): Addresses {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  const root = `http://${name}:${port}`
  const base = `${root}/integration`
  return {
    root,
    base,
    editor: (fingerprint) => `${root}/editor/${fingerprint}`,
    media: (fingerprint, versionId) => `${base}/download/media/${fingerprint}/${versionId}`,
    fonts: (fingerprint, snapshotId) => `${base}/download/fonts/${fingerprint}/${snapshotId}`,
    fontSheet: (snapshotId) => `/_emulator/fonts/${snapshotId}/vms_fonts.css`,
  }
}

/** Whether a host name (as in `URL.hostname`) is a loopback name or address. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** Every address the emulator hands out; the same functions give what is signed and what is checked. */
export interface Addresses {
  /** Root of the emulator, without a trailing slash. */
  readonly root: string
  /** The `base_url` that sites are configured with. */
  readonly base: string
  readonly editor: (fingerprint: string) => string
  readonly media: (fingerprint: string, versionId: string) => string
  readonly fonts: (fingerprint: string, snapshotId: string) => string
  /** Path of the CSS that shows the faces of a font set in the editor. */
  readonly fontSheet: (snapshotId: string) => string
}

/** Addresses under the host that was listened on; a wildcard host is reached as loopback. */
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

/** Whether a host name (as `URL.hostname` writes it) is this machine itself. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname)

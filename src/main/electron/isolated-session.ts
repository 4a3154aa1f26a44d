import { session } from 'electron'
import type { Session } from 'electron'

/** A port without a listener, for any request that passes all other checks. */
const deadProxy = { mode: 'fixed_servers', proxyRules: '127.0.0.1:9', proxyBypassRules: '<-loopback>' } as const

/** Chromium's code for refusing a certificate: none is accepted here. */
const refuseCertificate = -2

/**
 * A session for pages that are not trusted: in memory, without permissions, downloads, certificates or network access. Its
 * creator decides which requests it answers.
 */
export async function isolatedSession(name: string): Promise<Session> {
  // Without the prefix `persist:`, a session never writes to disk.
  const own = session.fromPartition(name, { cache: false })
  own.protocol.handle('file', () => new Response(null, { status: 403 }))
  own.setPermissionRequestHandler((_contents, _permission, done) => done(false))
  own.setPermissionCheckHandler(() => false)
  own.setDevicePermissionHandler(() => false)
  own.setCertificateVerifyProc((_request, done) => done(refuseCertificate))
  own.on('will-download', (event) => event.preventDefault())
  own.setSpellCheckerEnabled(false)
  await own.setProxy(deadProxy)
  return own
}

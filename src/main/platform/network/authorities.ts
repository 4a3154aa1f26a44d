import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { SecureContext } from 'node:tls'
import { createSecureContext, getCACertificates, rootCertificates } from 'node:tls'

type Environment = Readonly<Record<string, string | undefined>>

/** Where Linux distributions keep the certificates of the system in one file. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/** The certificates in a file; none if it cannot be read. */
function certificatesIn(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? []
  } catch {
    return []
  }
}

/** The authorities of the system. On Linux one file is read in a third of the time that Node takes for the whole folder. */
function systemAuthorities(environment: Environment): readonly string[] {
  const bundle = environment['SSL_CERT_FILE'] || bundles.find((path) => existsSync(path))
  if (process.platform === 'linux' && bundle !== undefined) return certificatesIn(bundle)
  // The Node of an older Electron has no such function.
  const ofNode = getCACertificates as typeof getCACertificates | undefined
  return ofNode?.('system') ?? []
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

/**
 * What connections trust: the authorities that come with Node, those of the system, and those in the file that
 * `GALLEY_CA_CERTS` or `NODE_EXTRA_CA_CERTS` names.
 */
export function trustedContext(environment: Environment): SecureContext {
  // Electron removes Node's variable from its environment.
  const extra = environment['GALLEY_CA_CERTS'] || environment['NODE_EXTRA_CA_CERTS']
  const ca = [
    ...new Set([...rootCertificates, ...systemAuthorities(environment), ...(extra ? certificatesIn(extra) : [])]),
  ]
  try {
    return createSecureContext({ ca })
  } catch {
    // One damaged certificate must not refuse all connections.
    return createSecureContext({ ca: ca.filter(isCertificate) })
  }
}

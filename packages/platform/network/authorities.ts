import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { SecureContext } from 'node:tls'
import { createSecureContext, getCACertificates, rootCertificates } from 'node:tls'
import { cause, errorCode } from '@galley/wire'

import { ConnectionError } from './connection-error.ts'

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
  } catch (error) {
    // A file of certificates is not at fault where this computer lacks descriptors.
    if (['EMFILE', 'ENFILE'].includes(errorCode(error) ?? '')) throw error
    return []
  }
}

/** Those in the file that one of these variables names, the first one that is set; null: none is. Throws ConnectionError. */
function namedCertificates(environment: Environment, ...variables: readonly string[]): readonly string[] | null {
  const name = variables.find((variable) => environment[variable])
  if (name === undefined) return null
  const found = certificatesIn(environment[name] ?? '')
  if (found.length === 0) throw new ConnectionError(cause('authorities_unreadable', { name }))
  return found
}

/** The authorities of the system. On Linux one file is read in a third of the time that Node takes for the whole folder. */
function systemAuthorities(environment: Environment): readonly string[] {
  if (process.platform === 'linux') {
    const bundle = bundles.find((path) => existsSync(path))
    const found =
      namedCertificates(environment, 'SSL_CERT_FILE') ?? (bundle === undefined ? null : certificatesIn(bundle))
    if (found !== null) return found
  }
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
 * `GALLEY_CA_CERTS` or `NODE_EXTRA_CA_CERTS` names. Throws ConnectionError for a named file without certificates.
 */
export function trustedContext(environment: Environment): SecureContext {
  // Electron removes Node's variable from its environment.
  const extra = namedCertificates(environment, 'GALLEY_CA_CERTS', 'NODE_EXTRA_CA_CERTS') ?? []
  const ca = [...new Set([...rootCertificates, ...systemAuthorities(environment), ...extra])]
  try {
    return createSecureContext({ ca })
  } catch {
    // One damaged certificate must not refuse all connections.
    return createSecureContext({ ca: ca.filter(isCertificate) })
  }
}

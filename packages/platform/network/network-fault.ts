import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Cause } from '@galley/wire'
import { cause, errorCode } from '@galley/wire'

/** OpenSSL's names of what is wrong with a certificate have no common form. */
const certificateCodes =
  /^ERR_TLS|CERT|^UNABLE_TO_|^(HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)$/
const networkCodes = /^(E(CONN|HOST|NET|AI_|PROTO|TIMEDOUT)|ENOTFOUND)/
/**
 * undici, its parser, the decompression of an answer, and an answer that is not TLS. undici asserts some of what it expects of an answer, such as a
 * status from 100 on; nothing else that runs in a request does.
 */
const answerCodes = /^(UND_ERR|HPE_|Z_|ERR_SSL|ERR_ASSERTION$)/

/**
 * What was wrong with a connection or an answer; null if the error has another reason, such as a disk fault, a lack of
 * descriptors on this computer, or a bug.
 */
export function networkFault(error: unknown): 'certificate' | 'unreadable' | 'unreached' | 'ended' | null {
  if (!(error instanceof Error)) return null
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'ended'
  const code = errorCode(error) ?? ''
  const syscall = 'syscall' in error ? error.syscall : null
  if (code === 'EMFILE' || code === 'ENFILE') return null
  if (certificateCodes.test(code)) return 'certificate'
  // An answer that is not HTTP: undici's error has no code.
  if (error.name === 'HTTPParserError' || answerCodes.test(code)) return 'unreadable'
  return syscall === 'connect' || syscall === 'getaddrinfo' || networkCodes.test(code) ? 'unreached' : null
}

const unknownIssuer = /^(UNABLE_TO_|CERT_UNTRUSTED$|CERT_SIGNATURE|DEPTH_ZERO|SELF_SIGNED|INVALID_CA$)/

/** What is wrong with a certificate that was refused. */
export function certificateCause(error: unknown): Cause {
  const code = errorCode(error) ?? ''
  if (unknownIssuer.test(code)) return cause('certificate_issuer')
  if (code === 'CERT_HAS_EXPIRED') return cause('certificate_expired')
  if (code === 'CERT_NOT_YET_VALID') return cause('certificate_early')
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH') return cause('certificate_host')
  return cause('certificate_unusable', { name: code })
}

/**
 * The error of a connection, or that of this computer behind it: without free descriptors, a name cannot be looked up either, and
 * the system reports that as an unknown host.
 */
export function ownFault(error: unknown): unknown {
  try {
    closeSync(openSync(devNull, 'r'))
    return error
  } catch (fault) {
    return fault
  }
}

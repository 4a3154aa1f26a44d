import type { Cause, CauseCode } from '../../../contract/cause.ts'
import { cause } from '../../../contract/cause.ts'
import { errorCode } from '../../../contract/error-code.ts'
import { certificateCause, networkFault } from './network-fault.ts'
import { privateAddressCode } from './private-addresses.ts'
import { ProxyError } from './proxy-error.ts'

const byCode: Readonly<Record<string, CauseCode>> = {
  ECONNREFUSED: 'host_refuses',
  ENOTFOUND: 'host_unknown',
  EAI_AGAIN: 'host_unknown_now',
  ECONNRESET: 'connection_cut',
  EPIPE: 'connection_cut',
  UND_ERR_SOCKET: 'connection_cut',
  ETIMEDOUT: 'host_silent',
  UND_ERR_CONNECT_TIMEOUT: 'host_silent',
  UND_ERR_HEADERS_TIMEOUT: 'host_silent',
  [privateAddressCode]: 'host_private',
}

const byFault = {
  unreadable: 'host_unreadable',
  unreached: 'host_unreached',
  ended: 'host_silent',
} as const

/** Why a host did not answer a request. Never contains the URL. */
export function hostCause(error: unknown): Cause {
  const code = errorCode(error) ?? (error instanceof Error ? error.name : '')
  const fault = networkFault(error)
  if (error instanceof ProxyError) return error.reason
  if (fault === 'certificate') return cause('host_certificate', { why: certificateCause(error) })
  const known = byCode[code] ?? (fault === null ? null : byFault[fault])
  return known === null ? cause('host_failed', { name: code }) : cause(known)
}

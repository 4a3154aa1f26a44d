import type { Cause, CauseCode } from '@galley/wire'
import { cause, errorCode } from '@galley/wire'

import { ConnectionError } from './connection-error.ts'
import { certificateCause, networkFault, ownFault } from './network-fault.ts'
import { privateAddressCode } from './private-addresses.ts'

const byCode: Readonly<Record<string, CauseCode>> = {
  ECONNREFUSED: 'host_refuses',
  EMFILE: 'many_files_open',
  ENFILE: 'many_files_open',
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
  if (error instanceof ConnectionError) return error.reason
  const own = ownFault(error)
  const code = errorCode(own) ?? (own instanceof Error ? own.name : '')
  const fault = networkFault(own)
  if (fault === 'certificate') return cause('host_certificate', { why: certificateCause(error) })
  const known = byCode[code] ?? (fault === null ? null : byFault[fault])
  return known === null ? cause('host_failed', { name: code || 'unknown' }) : cause(known)
}

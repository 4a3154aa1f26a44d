import type { Cause } from '../cause.ts'
import { causeSentence } from '../cause.ts'

/** The current state of a library's listener. */
export type ListenerState =
  | { readonly kind: 'starting' }
  /** `isDiskBroken`: the disk reported an error, and no save is acknowledged until Galley is restarted. */
  | { readonly kind: 'listening'; readonly url: string; readonly isDiskBroken?: true }
  /** Another process serves this library. */
  | { readonly kind: 'elsewhere'; readonly processId: number; readonly url: string | null }
  | ListenFailure
  /** Accepts no more saves, and waits for running ones. */
  | { readonly kind: 'stopping' }
  | { readonly kind: 'stopped' }

/** Why a listener did not start. */
export interface ListenFailure {
  readonly kind: 'failed'
  /**
   * The system's error code, such as EADDRINUSE; `library_unusable` if the library cannot be written; `log_mismatch` if its
   * index does not belong to its log.
   */
  readonly code: string
  readonly host?: string
  readonly port?: number
  /** Why the library cannot be used. */
  readonly cause?: Cause
}

export const logMismatchSentence =
  'The index of this library does not match its log. Nothing was changed. Run galley rebuild --from log to keep the ' +
  'log, or galley rebuild --from index to keep the index.'

/** The failure in English, for the command line. */
export function listenFailureSentence({ code, host, port, cause }: ListenFailure): string {
  if (code === 'log_mismatch') return logMismatchSentence
  if (cause !== undefined) return causeSentence(cause)
  return code === 'EADDRINUSE'
    ? `Port ${port} on ${host} is in use by another program, so Galley cannot use it. Stop that program, or choose another port.`
    : `Galley cannot listen on ${host}, port ${port} (${code}).`
}

/** Whether it answers saves without storing them. */
export const isDiskBroken = (state: ListenerState | null): boolean =>
  state?.kind === 'listening' && state.isDiskBroken === true

/** Why a listener could not start, grouped by the fix. */
export type ListenFault = 'taken' | 'forbidden' | 'foreign' | 'library' | 'mismatch' | 'other'

const faults: ReadonlyMap<string | undefined, ListenFault> = new Map([
  ['EADDRINUSE', 'taken'],
  ['EACCES', 'forbidden'],
  ['EADDRNOTAVAIL', 'foreign'],
  ['ENOTFOUND', 'foreign'],
  ['EAI_AGAIN', 'foreign'],
  ['library_unusable', 'library'],
  ['log_mismatch', 'mismatch'],
])

export const listenFault = (code: string | undefined): ListenFault => faults.get(code) ?? 'other'
